import fc from 'fast-check';
import { Parser, type Tokenizer } from 'htmlparser2';
import { expect, test } from 'vitest';
import { PageParser, PageTokenizer } from '../../../src/extract/main-text/page-parser.ts';

const piece = fc.oneof(
  fc.constantFrom(
    ...['<', '>', '</', '/>', '<p', '<a href=', '"', "'", '=', '&', '&amp;', '&#8364;', '&notit;', ' ', '\n'],
    ...[
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<!doctype html>',
      '<?xml ?>',
      'class',
      'data-x',
      'onclick',
      '\u0001',
    ],
    ...[
      '<script>',
      '</script>',
      '</scrip',
      '<style>',
      '</style>',
      '<title>',
      '</title>',
      '<svg>',
      '<textarea>',
    ],
    ...[
      '<div class="a b" id=c data-x="&lt;">',
      "<a title='Über &quot;' href=/x?a&b>",
      '<br/>',
      '<form>',
      '漢字',
    ],
  ),
  fc.string({ maxLength: 6 }),
);
const page = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

/** All events of a parser that is fed in pieces. */
function eventsOf(
  html: string,
  { length, create }: { length: number; create: (handler: Record<string, unknown>) => Parser },
): unknown[] {
  const events: unknown[] = [];
  const parser = create({
    onopentag: (tag: string, attributes: object, isImplied: boolean) =>
      events.push(['open', tag, { ...attributes }, isImplied]),
    ontext: (text: string) => events.push(['text', text]),
    oncomment: (text: string) => events.push(['comment', text]),
    onclosetag: (tag: string, isImplied: boolean) => events.push(['close', tag, isImplied]),
  });
  for (let at = 0; at < html.length; at += length) parser.write(html.slice(at, at + length));
  parser.end();
  return events;
}

test('the tokenizer gives the events of the one that looks at each character', () => {
  fc.assert(
    fc.property(page, fc.integer({ min: 1, max: 50 }), fc.boolean(), (html, length, recognizeSelfClosing) => {
      const options = { recognizeSelfClosing, recognizeCDATA: recognizeSelfClosing };
      const own = { ...options, Tokenizer: PageTokenizer as typeof Tokenizer };
      expect(eventsOf(html, { length, create: (handler) => new Parser(handler, own) })).toEqual(
        eventsOf(html, { length, create: (handler) => new Parser(handler, options) }),
      );
    }),
    { numRuns: 2000 },
  );
});

test('the parser leaves out nothing but attributes that are not read', () => {
  const unread = /^(?!class$|id$|href$|rel$|title$|content$|name$|type$|value$|start$|lang$|role$)/;
  const withoutUnread = (events: unknown[]) =>
    events.map((event) => {
      const [kind, tag, attributes, isImplied] = event as [string, string, Record<string, string>, boolean];
      if (kind !== 'open') return event;
      const kept = Object.entries(attributes).filter(([name]) => !unread.test(name));
      return [kind, tag, Object.fromEntries(kept), isImplied];
    });
  fc.assert(
    fc.property(page, fc.integer({ min: 1, max: 50 }), (html, length) => {
      const own = eventsOf(html, { length, create: (handler) => new PageParser(handler) });
      expect(withoutUnread(own)).toEqual(
        withoutUnread(eventsOf(html, { length, create: (handler) => new Parser(handler) })),
      );
    }),
    { numRuns: 1000 },
  );
  const events = eventsOf('<p class="a" data-x="b&amp;" class="c" onclick=d title>', {
    length: 100,
    create: (handler) => new PageParser(handler),
  });
  expect(events[0]).toEqual(['open', 'p', { class: 'a', title: '' }, false]);
});
