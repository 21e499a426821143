import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { openApp } from '../src/app/app.ts';
import type { Engine } from '../src/engine/engine.ts';
import { createExtractor } from '../src/extract/extract.ts';
import { listedTool } from '../src/mcp/listed-tool.ts';
import { toolResult } from '../src/mcp/tool-result.ts';
import type { Page } from '../src/page.ts';
import { silentLog } from '../src/runtime.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { pageId } from '../src/store/page/page-id.ts';
import { loadLanguageDetector } from '../src/text/language/language.ts';
import { fetchContent } from '../tools/fetch-content.ts';
import { tools } from '../tools/index.ts';
import { fullServer } from '../tools/server-facts.ts';
import type { Tool } from '../tools/tool.ts';
import { webSearch } from '../tools/web-search.ts';
import { loadPageSet, pageBytes, pageSetNames } from './extraction/sets.ts';
import { loadJudgedSet } from './judged-sets.ts';
import { writeBlock } from './write-block.ts';

/** Judged pages are read as of this day. */
const now = () => Date.UTC(2026, 10, 20);

const searches: readonly Record<string, unknown>[] = [
  { q: 'data security' },
  { q: 'customer support OR service' },
  { q: 'climate' },
  { q: 'install package' },
  { q: 'performance', limit: 100 },
  { q: '电影' },
  { q: '大学 历史' },
  { q: '日本' },
  { q: '中国 城市' },
  { q: '中国', limit: 100 },
];
const longWindow = 50_000;

/** Articles of an encyclopedia and laws, with a site of a name as long as theirs. */
const chineseSets = [
  ['cmrc2018-zh', 'zh.wikipedia.example'],
  ['stard-zh-laws', 'flk.laws.example'],
] as const;

/** How much of an agent's context do answers take? Ten searches and ten fetches over real pages; `--write` for the docs. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { write: { type: 'boolean', default: false } } });
  const dataFolder = mkdtempSync(join(tmpdir(), 'gleaner-context-'));
  try {
    const pages = await readPages();
    const store = openPageStore(dataFolder);
    await store.write((writer) => pages.forEach(writer.putPage));
    await store.close();
    const app = openApp({ config: { dataFolder }, log: silentLog, now });
    await app.prepare();
    const tables = [
      advertised(),
      await inOneCall(app.engine),
      await table(app.engine, webSearch, searches),
      await table(app.engine, fetchContent, fetches(pages), pages),
    ].join('\n\n');
    await app.close();
    console.log(tables);
    if (values.write) writeBlock('docs/context.md', 'context', tables);
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/** The pages of the judged sets, of many kinds and languages, and Chinese articles and laws. */
async function readPages(): Promise<Page[]> {
  const extract = createExtractor({ detectLanguage: await loadLanguageDetector(), now });
  const pages = new Map<string, Page>();
  for (const set of pageSetNames) {
    for (const judged of loadPageSet(set)) {
      const url = `${judged.url}#${judged.id}`;
      const extraction = extract({ url: judged.url, bytes: pageBytes(judged), contentType: 'text/html' });
      if (extraction.kind === 'page') pages.set(url, stored(judged.url, extraction.page));
    }
  }
  for (const [set, site] of chineseSets) {
    for (const { id, title, text } of loadJudgedSet(set).docs) {
      const url = `https://${site}/${encodeURIComponent(title)}`;
      pages.set(id, stored(url, { title, body: text, lang: 'zh', wordCount: text.length, siteName: site }));
    }
  }
  return [...new Map([...pages.values()].map((page) => [page.id, page])).values()];
}

function stored(url: string, fields: Partial<Page>): Page {
  return {
    title: '',
    description: '',
    headings: '',
    body: '',
    siteName: null,
    author: null,
    publishedAt: null,
    lang: 'und',
    fileType: 'html',
    wordCount: 0,
    ...fields,
    id: pageId(url),
    url,
    crawledAt: now(),
  };
}

/** The longest pages in English and in Chinese: as they come, whole, and by words. */
function fetches(pages: readonly Page[]): Record<string, unknown>[] {
  const longest = (wanted: string) =>
    pages
      .filter(({ lang }) => lang === wanted)
      .sort((one, other) => other.body.length - one.body.length)
      .map(({ id }) => id);
  const [en = [], zh = []] = [longest('en'), longest('zh')];
  return [
    ...en.slice(0, 3).map((id) => ({ id })),
    { id: en[0], max_chars: longWindow },
    { id: en[0], find: 'security performance' },
    ...zh.slice(0, 3).map((id) => ({ id })),
    { id: zh[0], max_chars: longWindow },
    { id: zh[0], find: '租赁合同 解除' },
  ];
}

const questions = ['data security', 'customer support', 'install package', 'climate', 'performance'];
const readResults = 3;

/** What an agent pays to see the passages of the first results: by searching and reading them, and by searching alone. */
async function inOneCall(engine: Engine): Promise<string> {
  const textOf = async (tool: Tool, args: Record<string, unknown>): Promise<string> => {
    const [block] = toolResult(tool, await tool.handle(engine, tool.input.parse(args), {})).content;
    return block?.text ?? '';
  };
  let [calls, apart, together] = [0, '', ''];
  for (const q of questions) {
    const found = await textOf(webSearch, { q, limit: readResults });
    const { results } = JSON.parse(found) as { results: { id: string }[] };
    const read = await Promise.all(results.map(({ id }) => textOf(fetchContent, { id, find: q })));
    calls += 1 + read.length;
    apart += [found, ...read].join('');
    together += await textOf(webSearch, { q, limit: readResults, passages: 2 });
  }
  return markdown(
    [
      'five questions, passages of the first three results',
      'calls',
      'characters',
      'o200k_base',
      'cl100k_base',
    ],
    [
      ['`web_search`, then `fetch_content` with `find`', String(calls), ...sizes(apart)],
      ['`web_search` with `passages: 2`', String(questions.length), ...sizes(together)],
    ],
  );
}

/** What every conversation pays: names, descriptions and schemas of the tools. */
function advertised(): string {
  const rows = tools.map((tool) => [
    `\`${tool.name}\``,
    ...sizes(JSON.stringify(listedTool(tool, fullServer))),
  ]);
  return markdown(['tool', 'characters', 'o200k_base', 'cl100k_base'], rows);
}

async function table(
  engine: Engine,
  tool: Tool,
  calls: readonly Record<string, unknown>[],
  pages: readonly Page[] = [],
): Promise<string> {
  const rows: string[][] = [];
  for (const call of calls) {
    const output = await tool.handle(engine, tool.input.parse(call), {});
    const [block] = toolResult(tool, output).content;
    const { id, ...rest } = call;
    const page = pages.find((each) => each.id === id);
    const asked = Object.entries(rest).map(([name, value]) => `${name} \`${value}\``);
    if (page) asked.unshift(`${page.lang}, ${page.body.length} characters`);
    const { results, passages, next_start } = output as Record<string, unknown[] | number | undefined>;
    const came = Array.isArray(results)
      ? `${results.length} results`
      : Array.isArray(passages)
        ? `${passages.length} passages`
        : next_start
          ? `to ${next_start}`
          : 'all';
    rows.push([asked.join(', '), came, ...sizes(block?.type === 'text' ? block.text : '')]);
  }
  return markdown([`\`${tool.name}\``, 'gives', 'characters', 'o200k_base', 'cl100k_base'], rows);
}

function sizes(text: string): string[] {
  return [text.length, countO200k(text), countCl100k(text)].map((size) => size.toLocaleString('en'));
}

function markdown(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = `|${heads.map((_, n) => (n < heads.length - 3 ? '---|' : '---:|')).join('')}`;
  return [`| ${heads.join(' | ')} |`, rule, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}
