import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../../src/extract/markdown/markdown.ts';

const read = (source: string) => readMarkdown(source, { url: 'https://x.example/a.md', now: 0 });

/** Each fills so many characters with what costs some readers time that grows with the square, or their stack. */
const shapes: Readonly<Record<string, (length: number) => string>> = {
  'quotes in quotes': (length) => '>'.repeat(length),
  'lists in lists, on one line': (length) => '- '.repeat(length / 2),
  'lists in lists': (length) =>
    Array.from({ length: Math.sqrt(length) }, (_, depth) => `${'  '.repeat(depth)}- a`).join('\n'),
  'lists in quotes': (length) => '> - '.repeat(length / 4),
  'open brackets': (length) => '['.repeat(length),
  'open pictures': (length) => '!['.repeat(length / 2),
  'links in links': (length) => `${'[a]('.repeat(length / 5)}${')'.repeat(length / 5)}`,
  'open emphasis': (length) => '*a **b _c __d '.repeat(length / 14),
  'strikes without an end': (length) => '~~a '.repeat(length / 4),
  'runs of backticks': (length) =>
    Array.from({ length: Math.sqrt(2 * length) }, (_, count) => '`'.repeat(count)).join(' '),
  'open comments': (length) => 'a <!-- '.repeat(length / 7),
  'open instructions': (length) => 'a <? '.repeat(length / 5),
  'open character data': (length) => 'a <![CDATA[ '.repeat(length / 12),
  'tags without an end': (length) => '<a b="'.repeat(length / 6),
  'blocks of tags without an end': (length) => "<div b='".repeat(length / 8),
  'scripts without an end': (length) => 'a <script> '.repeat(length / 11),
  'blocks of scripts': (length) => '<script>a</script>\n'.repeat(length / 19),
  'tags in tags': (length) => '<b><i>'.repeat(length / 6),
  'blocks in blocks': (length) => '<div>\n\n'.repeat(length / 7),
  'cells that are missing': (length) =>
    `${'|a'.repeat(100)}\n${'|-'.repeat(100)}\n${'|x\n'.repeat(length / 3)}`,
  'a definition of 4 kB that is used everywhere': (length) =>
    `[a]: /${'u'.repeat(4000)}\n\n${'[a] '.repeat(length / 4)}`,
  'definitions without an end': (length) => `${'[a'.repeat(length / 2)}]: /b`,
  'entities without an end': (length) => '&#x'.repeat(length / 3),
  spaces: (length) => `a${' '.repeat(length)}b`,
};

describe('hostile Markdown', () => {
  test.each(Object.entries(shapes))('is read within bounds: %s', (_, shape) => {
    const source = shape(100_000);
    // The limit is the test's time: what grows with the square takes minutes.
    const { body } = read(`Before\n\n${source}\n\nAfter`);
    expect(body).toMatch(/^Before/);
    expect(body.length).toBeLessThan(10 * source.length);
  });

  test('that nests a hundred thousand deep ends no stack, and loses nothing outside of itself', () => {
    for (const mark of ['> ', '- ', '* > ', '1. ']) {
      expect(read(`Before\n\n${mark.repeat(100_000)}x\n\nAfter`).body).toMatch(/^Before[\s\S]*x\s+After$/);
    }
  });

  test('nests to nearly a hundred levels before anything is left out', () => {
    expect(read(`${'> '.repeat(90)}deep`).body).toBe('deep');
  });
});
