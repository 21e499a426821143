import { expect, test } from 'vitest';
import { readLinks } from '../../../src/extract/links.ts';
import { drop } from '../../../src/extract/main-text/drop.ts';
import { isHidden, isNonContent, isPermalink } from '../../../src/extract/main-text/non-content.ts';
import { render } from '../../../src/extract/main-text/render.ts';
import { parseHtml } from '../../../src/extract/main-text/tree.ts';
import { readMarkdown } from '../../../src/extract/markdown/markdown.ts';
import { commonMarkExamples } from './commonmark.ts';

const url = 'https://x.example/docs/one.md';

/** Examples that do not apply, by their number in the specification: what we do instead is better for a search. */
const otherwise: Readonly<Record<number, string>> = {
  96: 'front matter',
  156: 'a tag that never ends is text, and does not take the rest of the document',
  157: 'the same',
  158: 'the same',
  173: 'the same, of a style element',
  182: 'CDATA is markup, and none of it is text',
  501: 'what links to a place in the page itself and is called "link" is a sign, also with the address of the page',
  629: 'CDATA, as in 182',
};

const examples = commonMarkExamples();
const applicable = examples.filter(({ number }) => otherwise[number] === undefined);

test('the examples of CommonMark are there', () => {
  expect(examples).toHaveLength(652);
  expect(applicable).toHaveLength(644);
});

test.each(applicable)(
  'CommonMark example $number ($section) reads as its HTML does',
  ({ markdown, html }) => {
    const tree = parseHtml(html);
    drop(tree.root, (element) => isNonContent(element) || isPermalink(element) || isHidden(element));
    const { text, headings } = render(tree.root);
    const page = readMarkdown(markdown, { url, now: 0 });
    const title = page.title === 'one.md' ? [] : [page.title];
    expect(page.body).toBe(text);
    expect([...title, ...page.headings.split('\n')].filter((heading) => heading !== '')).toEqual(headings);
    // What is defined and not used is a link, too.
    const links = readLinks(tree, url).map((link) => link.url);
    const others = page.links.map((link) => link.url).filter((link) => !links.includes(link));
    expect(page.links.map((link) => link.url)).toEqual([...links, ...others]);
    for (const link of others)
      expect(markdown).toContain(`]: ${new URL(link).pathname}`.replace('/docs/', ''));
  },
);
