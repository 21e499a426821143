import fc from 'fast-check';
import { expect, test } from 'vitest';
import { render } from '../../../src/extract/main-text/render.ts';
import { parseHtml } from '../../../src/extract/main-text/tree.ts';
import { completeTags } from '../../../src/extract/markdown/complete-tags.ts';

test.each([
  ['<a href="x>y" b=\'<\' c>text</a>', '<a href="x>y" b=\'<\' c>text</a>'],
  ['a <!-- b > c --> d', 'a  d'],
  ['a <!-- b', 'a '],
  ['1 < 2, <3 and <b', '1 &lt; 2, &lt;3 and &lt;b'],
  ['<div title="x', '&lt;div title="x'],
  ['<?php echo 1 ?>a<!DOCTYPE html>b', 'ab'],
  ['<? and <!', '&lt;? and &lt;!'],
  ['<script>a</script><script>b', '<script>a</script>&lt;script>b'],
  ['<STYLE>a</Style>', '<STYLE>a</Style>'],
  ['<plaintext>a</plaintext>', '&lt;plaintext>a</plaintext>'],
])('raw HTML %j keeps to itself', (html, expected) => {
  expect(completeTags(html)).toBe(expected);
});

test('raw HTML takes nothing of what comes after it', () => {
  const piece = fc.constantFrom(
    ...[
      '<',
      '>',
      '"',
      "'",
      '=',
      '/',
      '!',
      '--',
      '-->',
      '<!--',
      '<?',
      '<![CDATA[',
      ']]>',
      ' ',
      '\n',
      'a',
      'b',
    ],
    ...[
      '<a',
      '<a href="',
      '<b>',
      '</b>',
      '<script>',
      '</script>',
      '<style',
      '<textarea>',
      '<title>',
      '<xmp>',
    ],
    ...['</title', '<plaintext>', '<svg>', '<iframe ', '&', '&lt', '</', '<TITLE>', 'İ'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const { text } = render(parseHtml(`${completeTags(pieces.join(''))}<p>what comes after</p>`).root);
      expect(text).toMatch(/what comes after$/);
    }),
    { numRuns: 20_000 },
  );
});
