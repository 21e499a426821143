import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked, type Token, type Tokens } from 'marked';
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
  const marked = new Marked();
  const textOf = (token: Token): string => {
    if ('tokens' in token && token.tokens) return token.tokens.map(textOf).join('');
    return 'text' in token ? token.text : '';
  };
  void marked.walkTokens(marked.lexer(readFileSync(join(root, page), 'utf8')), (token) => {
    if (token.type === 'link' || token.type === 'image') targets.push((token as Tokens.Link).href);
    if (token.type === 'heading') ids.add(headingId(textOf(token)));
  });
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
