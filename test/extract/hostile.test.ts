import { expect, test } from 'vitest';
import { extract } from './extractor.ts';

const sentence = '<p>A sentence that is long enough to count as prose.</p>';

const authorsOf = (name: string) =>
  `<meta name="author" content="${name}"><meta name="dc.creator" content="${name}">
   <script type="application/ld+json">{ "@type": "Article", "author": "${name}" }</script>
   <p class="byline">By ${name}</p><a rel="author" href="/a">${name}</a><b itemprop="author">${name}</b>${sentence}`;

test.each<[string, string]>([
  ['100,000 nested blocks', '<div>'.repeat(100_000) + sentence],
  ['30,000 unclosed inline elements', '<b><i><font>x'.repeat(10_000) + sentence],
  ['5 million angle brackets', '<'.repeat(5_000_000)],
  [
    '300,000 attributes',
    `<div ${Array.from({ length: 300_000 }, (_, n) => `a${n}=1`).join(' ')}>${sentence}`,
  ],
  ['an attribute of 10 MB', `<div class="${'a'.repeat(10_000_000)}">${sentence}`],
  ['a style of 10 MB', `<div style="${'left:'.repeat(2_000_000)}">${sentence}`],
  ['a million elements', '<b>x</b>'.repeat(1_000_000)],
  ['3,000 nested tables', '<table><tr><td>'.repeat(3000) + sentence],
  ['5 million line ends beside a Han character', `数${'\n'.repeat(5_000_000)}x`],
  ['a title of a million separators', `<title>${' | '.repeat(1_000_000)}</title><h1>a</h1>${sentence}`],
  ['200,000 headings that lead elsewhere', '<h2>Related</h2>'.repeat(200_000)],
  ['200,000 lines of code as blocks', `<pre>${'<div>x</div>'.repeat(200_000)}</pre>`],
  ['deep JSON-LD', `<script type="application/ld+json">${'[{"a":'.repeat(300_000)}</script>${sentence}`],
  ['authors of a million dashes', authorsOf(`a${'-'.repeat(1_000_000)}b`)],
  ['authors of a million commas', authorsOf(`a${', '.repeat(500_000)}b`)],
  ['unclosed comments', '<!--'.repeat(500_000)],
  ['unclosed CDATA', '<![CDATA['.repeat(300_000)],
])('survives %s', { timeout: 120_000 }, (_, html) => {
  expect(['page', 'unreadable']).toContain(
    extract({ url: 'https://x.example/', bytes: Buffer.from(html), contentType: 'text/html' }).kind,
  );
});

test('reads on up to the point where nesting becomes absurd', () => {
  const html = `${sentence.repeat(10)}${'<div>'.repeat(100_000)}`;
  const extraction = extract({
    url: 'https://x.example/',
    bytes: Buffer.from(html),
    contentType: 'text/html',
  });
  expect(extraction.kind === 'page' && extraction.page.body).toContain('A sentence');
});
