import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf, type Inline, type TextBlock } from '../../src/engine/markdown/blocks.ts';
import { render } from '../../src/extract/main-text/render.ts';
import { parseHtml } from '../../src/extract/main-text/tree.ts';
import type { MarkKind } from '../../src/text/structure/marks.ts';

const base = 'https://a.example/docs/page';

function inlineText(list: readonly Inline[]): string {
  return list
    .map((inline) => {
      if (inline.kind === 'text') return inline.text;
      const inner = inlineText(inline.of);
      return inline.kind === 'link' ? `[${inner}](${inline.url})` : `${inline.kind}(${inner})`;
    })
    .join('');
}

/** Blocks in a short form. */
function short(block: TextBlock): unknown {
  switch (block.kind) {
    case 'paragraph':
      return inlineText(block.of);
    case 'heading':
      return { [`h${block.level}`]: inlineText(block.of) };
    case 'code':
      return { [`code ${block.language}`]: block.text };
    case 'list':
      return { [`list ${block.first ?? ''}`]: block.items.map((item) => item.map(short)) };
    case 'quotation':
      return { quotation: block.of.map(short) };
    case 'table':
      return { table: block.rows.map((row) => row.map(inlineText)) };
  }
}

function blocks(html: string): unknown[] {
  const { text, marks } = render(parseHtml(html).root);
  return blocksOf(text, { base, marks }, text.length).map(short);
}

test.each<[string, unknown[]]>([
  ['<h1>One</h1><p>a</p><h3>Three <code>f()</code></h3>', [{ h1: 'One' }, 'a', { h3: 'Three code(f())' }]],
  ['<p>a <a href="../x">b <b>c</b></a>, d</p>', ['a [b strong(c)](https://a.example/x), d']],
  [
    '<ul><li>a</li><li>b<ol start="3"><li>c</li></ol></li></ul>',
    [{ 'list ': [['a'], ['b', { 'list 3': [['c']] }]] }],
  ],
  ['<ul><li>a</li></ul><p>x</p><ul><li>b</li></ul>', [{ 'list ': [['a']] }, 'x', { 'list ': [['b']] }]],
  ['<pre><code class="language-ts">let a;\n\n  b</code></pre>', [{ 'code ts': 'let a;\n\n  b' }]],
  ['<blockquote><p>a</p><p>b</p></blockquote><p>c</p>', [{ quotation: ['a', 'b'] }, 'c']],
  [
    '<table><tr><th>A</th><th>B</th></tr><tr><td>a</td><td>b</td></tr></table>',
    [
      {
        table: [
          ['A', 'B'],
          ['a', 'b'],
        ],
      },
    ],
  ],
])('%s', (html, expected) => {
  expect(blocks(html)).toEqual(expected);
});

/** Every text of the blocks, in their order. */
function texts(list: readonly TextBlock[]): { start: number; text: string }[] {
  const ofInlines = (inlines: readonly Inline[]): { start: number; text: string }[] =>
    inlines.flatMap((inline) => (inline.kind === 'text' ? [inline] : ofInlines(inline.of)));
  return list.flatMap((block) => {
    if (block.kind === 'code') return [block];
    if (block.kind === 'list') return block.items.flatMap(texts);
    if (block.kind === 'quotation') return texts(block.of);
    if (block.kind === 'table') return block.rows.flat().flatMap(ofInlines);
    return ofInlines(block.of);
  });
}

test('whatever the marks say, every word comes once, in order and where it stands', () => {
  const mark = fc.record({
    kind: fc.constantFrom<MarkKind>('h', 'l', 'q', 'p', 't', 'c', 'a', 'b', 'i'),
    start: fc.nat(60),
    length: fc.integer({ min: 1, max: 40 }),
    value: fc.constantFrom('', '1', '7', 'https://x.example/', 'javascript:x', ':'),
  });
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 12 }), fc.nat(80), (drawn, length) => {
      const body = 'one two\n- three four\tfive\n\n  - six <b>\nseven eight nine\nten eleven twelve thirteen';
      const marks = drawn
        .map(({ length: size, ...rest }) => ({ ...rest, end: rest.start + size }))
        .toSorted((a, b) => a.start - b.start || b.end - a.end);
      const shown = texts(blocksOf(body, { base, marks }, length));
      for (const { start, text } of shown) expect(body.slice(start, start + text.length)).toBe(text);
      const words = (text: string) => text.replace(/[-\s]/g, '');
      expect(words(shown.map(({ text }) => text).join(''))).toBe(words(body.slice(0, length)));
    }),
    { numRuns: 1000 },
  );
});
