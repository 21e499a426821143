import { expect, test } from 'vitest';
import { readPage } from './extractor.ts';

const source = `---
title: "A guide"
date: 2024-03-05
author: Ada
---
# Start here

Read the [second page](two.md "Two") *first*, and \`code_like_this\`.

Setext heading
---

* one
+ [x] two

| Name | Size |
|------|-----:|
| a.ts | 12   |

\`\`\`js
# not a heading
let _x_ = [a](b);
\`\`\`

> quoted

[ref]: https://y.example/ref
`;

test('Markdown loses its signs and keeps its code, links and front matter', () => {
  const page = readPage(source, { url: 'https://x.example/docs/one.md', contentType: 'text/markdown' });
  expect(page.title).toBe('A guide');
  expect(page.author).toBe('Ada');
  expect(page.publishedAt).toBe(Date.UTC(2024, 2, 5));
  expect(page.headings).toBe('Start here\nSetext heading');
  expect(page.fileType).toBe('markdown');
  expect(page.links.map((link) => link.url)).toEqual([
    'https://x.example/docs/two.md',
    'https://y.example/ref',
  ]);
  expect(page.body).toBe(
    [
      'Start here\n',
      'Read the second page first, and code_like_this.\n',
      'Setext heading\n',
      '- one\n- two\n',
      'Name\tSize\na.ts\t12\n',
      '# not a heading\nlet _x_ = [a](b);\n',
      'quoted',
    ].join('\n'),
  );
});

test('Markdown without front matter is called by its first heading, else by its file', () => {
  const at = (text: string) =>
    readPage(text, { url: 'https://x.example/docs/READ%20ME.md', contentType: 'text/plain' });
  expect(at('# Tool\n\ntext\n\n## Use\n').title).toBe('Tool');
  expect(at('# Tool\n\ntext\n\n## Use\n').headings).toBe('Use');
  expect(at('only words').title).toBe('READ ME.md');
});

test('plain text is its own body and is called by its first line', () => {
  const page = readPage('Release notes\r\n\r\n  * fixed <b>things</b>\r\n', { contentType: 'text/plain' });
  expect(page).toMatchObject({
    title: 'Release notes',
    body: 'Release notes\n\n  * fixed <b>things</b>',
    fileType: 'text',
  });
});
