import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deflateRawSync } from 'node:zlib';
import MarkdownIt from 'markdown-it';
import { markdownOf } from '../src/engine/markdown/markdown.ts';
import { createExtractor } from '../src/extract/extract.ts';
import { decodeStructure } from '../src/text/structure/marks.ts';
import { cached } from './engines/cache.ts';
import { loadPageSet, pageBytes } from './extraction/sets.ts';
import { writeBlock } from './write-block.ts';

const packages = ['linkedom@0.18.14', 'defuddle@0.19', 'turndown@7.2', 'turndown-plugin-gfm@1.0'];
const folder = 'markdown-peers';
const pageCount = 20;
/** Pages that are as long as this in Gleaner's text show what each makes of structure. */
const maxText = 60_000;

interface Structure {
  readonly headings: number;
  readonly items: number;
  readonly rows: number;
  readonly blocks: number;
  readonly links: number;
  readonly chars: number;
}

/**
 * What do Gleaner, defuddle and Turndown make of 20 documentation pages and articles? Counts what a Markdown parser finds in
 * each, and measures what the structure costs in bytes and processor time. `--write` puts the tables into docs/extraction.md.
 */
export async function main(args: string[]): Promise<void> {
  install();
  const peers = await openPeers();
  const extract = createExtractor({ detectLanguage: (_, lang) => lang ?? 'und', now: Date.now });
  const rows: string[] = [];
  let [texts, packedTexts, packed, renderMs] = [0, 0, 0, 0];
  for (const { url, bytes } of pages()) {
    const extraction = extract({ url, bytes, contentType: 'text/html' });
    if (extraction.kind !== 'page') continue;
    const { body, structure = '', title } = extraction.page;
    const from = performance.now();
    const { text } = markdownOf(body, decodeStructure(structure), { start: 0, end: body.length });
    renderMs += performance.now() - from;
    texts += Buffer.byteLength(body);
    packedTexts += deflateRawSync(body).length;
    packed += deflateRawSync(structure).length;
    const found = [text, ...(await peers(Buffer.from(bytes).toString('utf8'), url))].map(structureOf);
    const cells = found.map((each) => Object.values(each).join(' / '));
    rows.push(`| ${title.slice(0, 40).replaceAll('|', '')} | ${cells.join(' | ')} |`);
  }
  const count = rows.length;
  const table = [
    'Headings / list items / table rows / code blocks / links / characters:',
    '',
    '| page | Gleaner | defuddle | defuddle, then Turndown |',
    '|---|---|---|---|',
    ...rows,
    '',
    `Structure beside the text, a page: ${Math.round(packed / count)} bytes, where the text has ${Math.round(texts / count)} (${Math.round(packedTexts / count)} deflated); ${(renderMs / count).toFixed(1)} ms to make Markdown of it.`,
  ].join('\n');
  console.log(table);
  if (args.includes('--write')) writeBlock('docs/extraction.md', 'markdown', table);
}

/** The pages with most tables, nested lists and code in the first parts of the set. */
function pages(): { url: string; bytes: Uint8Array }[] {
  const candidates = loadPageSet('wcxb-sample').filter(
    ({ pageType }) => pageType === 'documentation' || pageType === 'article',
  );
  const scored = candidates.map((page) => {
    const bytes = pageBytes(page);
    const html = Buffer.from(bytes).toString('latin1');
    const score = ['<pre', '<table', '<ol', '<li><ul'].reduce(
      (sum, tag) => sum + Math.min(html.split(tag).length - 1, 10),
      0,
    );
    return { url: page.url, bytes, score };
  });
  return scored
    .filter(({ bytes }) => bytes.length < 10 * maxText)
    .sort((one, other) => other.score - one.score)
    .slice(0, pageCount);
}

function structureOf(markdown: string): Structure {
  const tokens = new MarkdownIt().parse(markdown, {});
  const count = (type: string): number => tokens.filter((token) => token.type === type).length;
  const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'link_open');
  return {
    headings: count('heading_open'),
    items: count('list_item_open'),
    rows: count('tr_open'),
    blocks: count('fence') + count('code_block'),
    links: links.length,
    chars: markdown.length,
  };
}

function install(): void {
  const manifest = cached(folder, 'package.json');
  if (existsSync(cached(folder, 'node_modules', 'turndown', 'package.json'))) return;
  writeFileSync(manifest, '{ "private": true }\n');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], {
    cwd: cached(folder, ''),
    stdio: 'inherit',
  });
}

/** Defuddle's own Markdown, and Turndown with tables over the HTML that defuddle finds. */
async function openPeers(): Promise<(html: string, url: string) => Promise<string[]>> {
  const require = createRequire(cached(folder, 'package.json'));
  const { parseHTML } = require('linkedom');
  const { Defuddle } = await import(cached(folder, 'node_modules', 'defuddle', 'dist', 'node.js'));
  const Turndown = require('turndown');
  const { gfm } = require('turndown-plugin-gfm');
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
  turndown.use(gfm);
  return async (html, url) => {
    const find = async (markdown: boolean): Promise<string> => {
      try {
        const { content } = await Defuddle(parseHTML(html).document, url, { markdown, useAsync: false });
        return content;
      } catch {
        return '';
      }
    };
    const content = await find(false);
    return [await find(true), turndown.turndown(content)];
  };
}
