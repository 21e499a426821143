import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { createHeadingIds } from '../src/http/pages/docs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = ['', 'docs', 'bench', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** Where the links and pictures of a page lead, and the ids of its headings as GitHub makes them. */
function parse(page: string): { targets: string[]; ids: Set<string> } {
  const headingId = createHeadingIds();
  const targets: string[] = [];
  const ids = new Set<string>();
  const markdown = new MarkdownIt({ html: true });
  markdown.validateLink = () => true;
  const tokens = markdown.parse(readFileSync(join(root, page), 'utf8'), {});
  for (const [index, token] of tokens.entries()) {
    for (const child of token.children ?? []) {
      const target = child.attrGet('href') ?? child.attrGet('src');
      if (target !== null) targets.push(String(target));
    }
    if (token.type !== 'heading_open') continue;
    const children = tokens[index + 1]?.children ?? [];
    ids.add(headingId(markdown.renderer.renderInlineAsText(children, markdown.options, {})));
  }
  return { targets, ids };
}

test('the pages are found', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/http.md']));
});

describe.each(pages)('%s', (page) => {
  test('links to files and headings that there are', () => {
    const broken = parse(page).targets.filter((href) => {
      if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return false;
      const [path = '', anchor] = href.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !parse(target).ids.has(anchor);
    });
    expect(broken).toEqual([]);
  });
});
