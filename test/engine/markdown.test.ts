import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { markdownOf } from '../../src/engine/markdown/markdown.ts';
import { outlineOf } from '../../src/engine/markdown/outline.ts';
import { render } from '../../src/extract/main-text/render.ts';
import { parseHtml } from '../../src/extract/main-text/tree.ts';
import { decodeStructure, encodeStructure, realignMarks } from '../../src/text/structure/marks.ts';

const base = 'https://a.example/docs/page';

function read(html: string) {
  const { text, marks } = render(parseHtml(html).root);
  return { text, structure: decodeStructure(encodeStructure({ base, marks })) };
}

function markdown(html: string): string {
  const { text, structure } = read(html);
  return markdownOf(text, structure, { start: 0, end: text.length }).text;
}

/** The lines with text of what a Markdown library makes of our Markdown. */
function readBack(source: string): string[] {
  const html = new MarkdownIt().render(source);
  return linesOf(render(parseHtml(html).root).text);
}

const linesOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trimEnd()]));

describe('Markdown', () => {
  test.each([
    ['<h1>One</h1><p>a</p><h3>Three <code>f()</code></h3>', '# One\n\na\n\n### Three `f()`'],
    ['<p>a<br>b</p><p>c</p>', 'a  \nb\n\nc'],
    ['<p>x <b>bold <i>both</i></b> <em>em</em></p>', 'x **bold *both*** *em*'],
    [
      '<p><a href="../x?a=1#s">here</a> and <a href="#top">there</a></p>',
      '[here](https://a.example/x?a=1#s) and there',
    ],
    ['<p><a href="/f_(x)">f</a> <a href="javascript:x()">g</a></p>', '[f](https://a.example/f_%28x%29) g'],
    ['<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>', '- a\n  - b\n    1. c\n- d'],
    [
      '<ol start="9"><li>a</li><li>b<p>more</p></li><li value="20">c</li></ol>',
      '9. a\n10. b  \n    more\n20. c',
    ],
    ['<blockquote><p>a</p><p>b</p></blockquote><p>c</p>', '> a\n>\n> b\n\nc'],
    ['<pre><code class="language-ts">let a;\n\n  b</code></pre>', '```ts\nlet a;\n\n  b\n```'],
    [
      '<div class="highlight-python3 notranslate"><div class="highlight"><pre>x = 1</pre></div></div>',
      '```python3\nx = 1\n```',
    ],
    ['<pre>a ``` b</pre>', '````\na ``` b\n````'],
    ['<ul><li><p>do</p><pre>x\ny</pre></li></ul>', '- do\n\n  ```\n  x\n  y\n  ```'],
    [
      '<table><caption>C</caption><tr><th>A</th><th>B</th></tr><tr><td>a|b</td><td><code>c</code></td></tr><tr><td></td><td>d</td></tr></table>',
      'C\n\n| A | B |\n| --- | --- |\n| a\\|b | `c` |\n|  | d |',
    ],
    [
      '<p>1. a</p><p># b</p><p>- c</p><p>*d* _e_ f_g [h](i) &lt;b> 2 * 3</p>',
      '1\\. a\n\n\\# b\n\n\\- c\n\n\\*d\\* \\_e\\_ f_g [h\\](i) \\<b> 2 * 3',
    ],
  ])('of %s', (html, expected) => {
    expect(markdown(html)).toBe(expected);
  });

  test('means the text that it was made of', () => {
    for (const html of [
      '<p>a *b* _c_ `d` [e](f) ![g](h) <b>i</b> &amp;amp; \\ ~~j~~</p><p>+ k</p><p>===</p><p>---</p><p>> l</p>',
      '<h2>A # B</h2><ol><li>x<ul><li>y</li><li>z</li></ul></li></ol><p>w</p>',
      '<table><tr><td>a</td><td>b | c</td></tr><tr><td>d</td></tr></table><p>after</p>',
      '<dl><dt>term</dt><dd>meaning</dd></dl><ul><li>a<br>b</li></ul><p>c</p>',
      '<blockquote><ul><li>q</li></ul><pre>code\n  more</pre></blockquote><p>d</p>',
    ]) {
      const { text } = read(html);
      expect(readBack(markdown(html))).toEqual(linesOf(text));
    }
  });

  test('of a part begins and ends where the part does', () => {
    const { text, structure } = read('<h2>A</h2><p>one</p><h2>B</h2><p>two <a href="/x">x</a></p>');
    const [, second] = outlineOf(text, structure);
    expect(second).toEqual({ level: 2, title: 'B', start: text.indexOf('B') });
    expect(markdownOf(text, structure, { start: second?.start ?? 0, end: text.length }).text).toBe(
      '## B\n\ntwo [x](https://a.example/x)',
    );
  });

  test('says where its headings are', () => {
    const { text, structure } = read('<p>x</p><h1>A</h1><ul><li><h2>B</h2></li></ul>');
    const { text: source, headings } = markdownOf(text, structure, { start: 0, end: text.length });
    expect(headings.map((start) => source.slice(start).split('\n')[0])).toEqual(['# A', '- ## B']);
  });
});

describe('marks', () => {
  test('keep their stretch when characters or lines before it go', () => {
    const marks = [{ kind: 'b', start: 6, end: 9, value: '' }] as const;
    expect(realignMarks(marks, 'a\u200bb\nc\u200bdef', 'ab\ncdef', '')).toMatchObject([{ start: 4, end: 7 }]);
    expect(realignMarks(marks, 'head\n\nabc\nfoot', 'abc', '\n')).toMatchObject([{ start: 0, end: 3 }]);
    expect(realignMarks(marks, 'head\n\nabc\nfoot', 'head', '\n')).toEqual([]);
  });

  test('are read as they were written; other lines are left out', () => {
    const structure = { base, marks: [{ kind: 'a', start: 3, end: 7, value: '/x,y' }] as const };
    expect(decodeStructure(encodeStructure(structure))).toEqual(structure);
    expect(decodeStructure('b\nz1,1\nnonsense').marks).toEqual([]);
  });
});
