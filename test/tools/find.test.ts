import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { findPassages } from '../../src/engine/excerpt/find-passages.ts';
import { fetchContent } from '../../tools/fetch-content.ts';
import { visibleText } from '../../tools/visible-text.ts';
import { databaseNotes, heronAlmanac, openLibrary } from './library.ts';

let engine: Engine;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ engine, close } = await openLibrary());
});
afterAll(() => close());

const find = async (args: object) => fetchContent.handle(engine, fetchContent.input.parse(args), {});

describe('find', () => {
  test('gives passages instead of the text, each where it says it is', async () => {
    const answer = await find({ id: heronAlmanac.id, find: 'chapter 217' });
    expect(answer).not.toHaveProperty('body_text');
    expect(answer).not.toHaveProperty('next_start');
    expect(answer.total_chars).toBe(heronAlmanac.body.length);
    const [best, ...others] = answer.passages ?? [];
    expect(best?.text).toContain('Chapter 217 of');
    for (const { start, text } of [best ?? { start: 0, text: '?' }, ...others]) {
      expect(heronAlmanac.body.slice(start, start + text.length)).toBe(text);
      expect(text.trim()).toBe(text);
    }
  });

  test('its places are starts from which to read on', async () => {
    const { passages = [] } = await find({ id: heronAlmanac.id, find: 'chapter 217' });
    const start = passages[0]?.start;
    const { body_text } = await find({ id: heronAlmanac.id, start });
    expect(body_text?.startsWith(passages[0]?.text ?? '?')).toBe(true);
  });

  test('with start looks only from there on', async () => {
    const half = heronAlmanac.body.length / 2;
    const { passages = [] } = await find({ id: heronAlmanac.id, find: 'heron', start: Math.ceil(half) });
    expect(passages.length).toBeGreaterThan(0);
    expect(passages.every(({ start }) => start >= half)).toBe(true);
  });

  test('of words that do not stand there finds nothing', async () => {
    expect((await find({ id: heronAlmanac.id, find: 'zeppelin' })).passages).toEqual([]);
  });

  test('finds words in text without spaces', async () => {
    const { passages = [] } = await find({ id: databaseNotes.id, find: '索引优化' });
    expect(passages).toEqual([{ start: 0, text: databaseNotes.body }]);
  });

  test('with nothing in it is not given', async () => {
    expect(await find({ id: databaseNotes.id, find: ' ' })).toMatchObject({ body_text: databaseNotes.body });
  });

  test('keeps all passages together below max_chars', async () => {
    const { passages = [] } = await find({ id: heronAlmanac.id, find: 'heron', max_chars: 1000 });
    const chars = passages.reduce((sum, { text }) => sum + text.length, 0);
    expect(chars).toBeGreaterThan(400);
    expect(chars).toBeLessThanOrEqual(1000);
  });
});

const filler = 'Nothing of interest stands in this sentence, and in the next one neither.\n'.repeat(200);

test('the passage that holds all of the words comes before those that hold one often', () => {
  const body = `${filler}Timeouts, timeouts, timeouts: timeouts everywhere.\n${filler}A timeout is retried with a backoff, as the policy says.\n${filler}`;
  const search = { words: 'timeout backoff policy', start: 0, maxPassages: 3, maxLength: 700 };
  const [best, second] = findPassages({ body, lang: 'en' }, search).map(({ start, end }) =>
    body.slice(start, end),
  );
  expect(best).toContain('A timeout is retried with a backoff');
  expect(second).toContain('Timeouts, timeouts');
});

test('words that all pages have do not make a passage', () => {
  const body = `${filler}The quarantine lasts for ten days.\n${filler}`;
  const search = { words: 'how long is the quarantine', start: 0, maxPassages: 8, maxLength: 400 };
  const passages = findPassages({ body, lang: 'en' }, search);
  const [best] = passages;
  expect(best && body.slice(best.start, best.end)).toContain('quarantine lasts');
});

test('passages of any text are within it, apart, none too long, none through a code point', () => {
  const pieces = fc.constantFrom(
    'heron',
    'owl',
    ' ',
    '\n',
    '\n- ',
    '. ',
    '。',
    '苍鹭',
    '🪶',
    '! ',
    'x'.repeat(90),
  );
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 150 }).map((parts) => parts.join('')),
      fc.nat(300),
      fc.integer({ min: 100, max: 400 }),
      (body, start, longest) => {
        const search = { words: 'heron 苍鹭 owl', start, maxPassages: 4, maxLength: longest };
        const passages = findPassages({ body, lang: 'en' }, search).sort((a, b) => a.start - b.start);
        let last = Math.min(start, body.length);
        for (const passage of passages) {
          expect(passage.start).toBeGreaterThanOrEqual(last);
          expect(passage.end).toBeGreaterThan(passage.start);
          expect(passage.end - passage.start).toBeLessThanOrEqual(longest + 64);
          expect(body.slice(passage.start, passage.end).isWellFormed()).toBe(true);
          last = passage.end;
        }
        expect(last).toBeLessThanOrEqual(body.length);
      },
    ),
  );
});

test('the text that offsets are of has no hidden characters and one kind of line end', () => {
  expect(visibleText('a\u200bb\r\nc\rd\u2028e\u0085f\tg\u{e0041}\ud800')).toBe('ab\nc\nd\ne\nf\tg\ufffd');
});
