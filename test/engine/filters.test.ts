import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { SearchParams } from '../../src/contract/search.ts';
import type { Page } from '../../src/page.ts';
import { silentLog } from '../../src/runtime.ts';
import { openApp } from '../opensearch/open-app.ts';
import { examplePage } from '../pages.ts';

const now = Date.UTC(2026, 10, 20, 12);
const daysAgo = (days: number) => now - days * 24 * 60 * 60 * 1000;

/** A dozen pages by short names; each differs from another in one thing that a filter sees. */
const pages: Readonly<Record<string, Partial<Page> & { url: string }>> = {
  tutorial: {
    url: 'https://docs.python.org/3/tutorial',
    title: 'Python tutorial',
    body: 'A python tutorial for beginners: modules and classes.',
    crawledAt: daysAgo(0.5),
  },
  asyncio: {
    url: 'https://docs.python.org/3/library/asyncio.html',
    title: 'asyncio',
    body: 'asyncio is a python library to write concurrent code.',
    crawledAt: daysAgo(3),
  },
  home: {
    url: 'https://www.python.org/',
    title: 'Welcome to Python',
    body: 'python releases',
    crawledAt: daysAgo(20),
  },
  chinese: {
    url: 'https://docs.python.org/zh-cn/3/tutorial',
    title: 'Python 教程',
    body: 'Python 教程介绍模块和类。',
    lang: 'zh',
    crawledAt: daysAgo(3),
  },
  snake: {
    url: 'https://notpython.org/tutorial',
    title: 'Snakes',
    body: 'A python is a snake.',
    crawledAt: daysAgo(20),
  },
  paper: {
    url: 'https://example.edu/papers/python.pdf',
    title: 'Python in science',
    body: 'python for scientific papers',
    fileType: 'pdf',
    crawledAt: daysAgo(200),
  },
  notes: {
    url: 'https://example.edu/files/python.docx',
    title: 'Course notes',
    body: 'python tutorial notes',
    fileType: 'docx',
    crawledAt: daysAgo(400),
  },
  table: {
    url: 'https://data.example.gov/tables/use.xlsx',
    title: 'Language use',
    body: 'python java rust',
    fileType: 'xlsx',
    crawledAt: daysAgo(20),
  },
  slides: {
    url: 'https://example.edu/papers',
    title: 'Slides',
    body: 'python tutorial slides',
    fileType: 'ppt',
    crawledAt: daysAgo(0.5),
  },
  viewer: {
    url: 'https://example.edu/papers2/x.pdf',
    title: 'Viewer',
    body: 'python viewer',
    crawledAt: daysAgo(3),
  },
  german: {
    url: 'https://bücher.example/python/buch',
    title: 'Python-Bücher',
    body: 'Ein Buch über python',
    lang: 'de',
    crawledAt: daysAgo(3),
  },
  database: {
    url: 'https://db.example.cn/docs/guide',
    title: '数据库优化',
    body: '数据库优化指南：索引与查询。',
    lang: 'zh',
    crawledAt: daysAgo(0.5),
  },
  manual: {
    url: 'https://db.example.cn/files/opt.pdf',
    title: '手册',
    body: '优化你的数据库，第二版。',
    lang: 'zh',
    fileType: 'pdf',
    crawledAt: daysAgo(20),
  },
};
const everything = Object.keys(pages);

const dataFolder = mkdtempSync(join(tmpdir(), 'gleaner-test-'));
let app: App;
beforeAll(async () => {
  app = openApp({ config: { dataFolder }, log: silentLog, now: () => now });
  for (const page of Object.values(pages))
    await app.pageWriter.put(examplePage({ ...page, url: new URL(page.url).href }));
});
afterAll(async () => {
  await app.close();
  rmSync(dataFolder, { recursive: true, force: true, maxRetries: 5 });
});

/** The names of the pages that are found, in the order of the list above. */
async function found(params: Record<string, string>): Promise<string[]> {
  const { total, results } = await app.engine.search(SearchParams.parse({ limit: 100, ...params }));
  expect(results).toHaveLength(total);
  const urls = new Set(results.map(({ url }) => url));
  return everything.filter((name) => urls.has(new URL(pages[name]?.url ?? '').href));
}

const python = 'tutorial asyncio home chinese snake paper notes table slides viewer german';

describe('one filter', () => {
  it.each([
    ['python', python],
    ['python site:python.org', 'tutorial asyncio home chinese'],
    ['python site:docs.python.org', 'tutorial asyncio chinese'],
    ['python site:https://DOCS.python.org:443/3/', 'tutorial asyncio'],
    ['python site:docs.python.org/3/tut', ''],
    ['python site:notpython.org', 'snake'],
    ['python site:ython.org', ''],
    ['python site:gov', 'table'],
    ['python site:bücher.example', 'german'],
    ['python site:xn--bcher-kva.example/python', 'german'],
    ['python site:example.edu/papers', 'paper slides'],
    ['python filetype:pdf', 'paper'],
    ['python FILETYPE:doc', 'notes'],
    ['python filetype:ppt', 'slides'],
    ['python filetype:xls', 'table'],
    ['python filetype:docx', ''],
    ['python filetype:zip', ''],
    ['python intitle:python', 'tutorial home chinese paper german'],
    ['intitle:数据库', 'database'],
    ['数据库优化', 'database manual'],
    ['"数据库优化"', 'database'],
    ['优化 filetype:pdf', 'manual'],
    ['filetype:pdf', 'paper manual'],
    ['site:cn', 'database manual'],
  ])('%s', async (q, names) => {
    expect((await found({ q })).join(' ')).toBe(names);
  });
});

describe('filters inside NOT, OR and groups', () => {
  it.each([
    ['python -site:python.org', 'snake paper notes table slides viewer german'],
    ['python -filetype:pdf -filetype:doc -site:python.org', 'snake table slides viewer german'],
    ['python -intitle:python', 'asyncio snake notes table slides viewer'],
    ['python (site:gov OR filetype:pdf)', 'paper table'],
    ['python site:gov | site:bücher.example', 'table german'],
    ['python OR 数据库 site:db.example.cn', 'database manual'],
    ['tutorial filetype:doc OR filetype:ppt', 'notes slides'],
    ['python (filetype:pdf OR intitle:asyncio OR site:notpython.org)', 'asyncio snake paper'],
    ['python -(site:python.org OR site:example.edu)', 'snake table german'],
    ['python -(site:python.org intitle:python)', 'asyncio snake paper notes table slides viewer german'],
    ['python (site:docs.python.org (intitle:tutorial OR intitle:教程))', 'tutorial chinese'],
    ['(tutorial site:python.org) OR (优化 filetype:pdf)', 'tutorial chinese manual'],
    ['python site:python.org -site:docs.python.org', 'home'],
    ['python site:docs.python.org site:example.edu', ''],
    [
      'python OR 优化 OR -site:example.edu',
      'tutorial asyncio home chinese snake table german database manual',
    ],
    ['-site:python.org -site:example.edu -filetype:xls', 'snake german database manual'],
    ['优化（filetype：pdf ｜ intitle：数据库）', 'database manual'],
    ['教程 －site:example.edu', 'chinese'],
    ['数据库 -索引', 'manual'],
    ['how do I find the python tutorial site:python.org', ''],
    ['what is the python tutorial site:python.org', 'tutorial chinese'],
    ['如何 优化 数据库 filetype:pdf', 'manual'],
  ])('%s', async (q, names) => {
    expect((await found({ q })).join(' ')).toBe(names);
  });
});

describe('parameters', () => {
  it.each<[Record<string, string>, string]>([
    [{ q: 'python', site: 'python.org' }, 'tutorial asyncio home chinese'],
    [{ q: 'python', site: 'https://example.edu/papers/' }, 'paper slides'],
    [{ q: 'python site:docs.python.org', site: 'python.org' }, 'tutorial asyncio chinese'],
    [{ q: 'python -site:docs.python.org', site: 'python.org' }, 'home'],
    [{ q: 'python', lang: 'zh' }, 'chinese'],
    [{ q: 'python', lang: 'zh-Hant-TW' }, 'chinese'],
    [{ q: 'python OR 优化', lang: 'ZH_cn' }, 'chinese database manual'],
    [{ q: 'python', lang: 'de' }, 'german'],
    [{ q: 'python', lang: 'fr' }, ''],
    [{ q: 'python', time_range: '1d' }, 'tutorial slides'],
    [{ q: 'python', time_range: '7d' }, 'tutorial asyncio chinese slides viewer german'],
    [{ q: 'python', time_range: '30d' }, 'tutorial asyncio home chinese snake table slides viewer german'],
    [{ q: 'python', time_range: '1y' }, python.replace('notes ', '')],
    [{ q: 'python', time_range: 'all' }, python],
    [{ q: 'python -filetype:ppt', time_range: '1d' }, 'tutorial'],
    [{ q: 'filetype:pdf', time_range: '30d' }, 'manual'],
    [{ q: '-python', lang: 'zh', time_range: '1d' }, 'database'],
    [{ q: 'tutorial OR 教程', site: 'python.org', lang: 'zh', time_range: '7d' }, 'chinese'],
    [{ q: 'python (filetype:pdf OR filetype:doc)', site: 'example.edu', time_range: '1y' }, 'paper'],
    [{ q: '数据库 -(索引 intitle:优化)', site: 'cn', lang: 'zh', time_range: '30d' }, 'manual'],
  ])('%j', async (params, names) => {
    expect((await found(params)).join(' ')).toBe(names);
  });

  it.each(['zh', 'de', 'en-GB', 'xx'])(
    'lang_priority=%s hides nothing, whatever else is asked',
    async (lang_priority) => {
      for (const params of [
        { q: 'python' },
        { q: 'python -site:python.org', time_range: '30d' },
        { q: 'python OR 优化', lang: 'zh' },
      ]) {
        expect(await found({ ...params, lang_priority })).toEqual(await found(params));
      }
    },
  );
  it('lang_priority puts its language first among equals', async () => {
    const { results } = await app.engine.search(
      SearchParams.parse({ q: 'intitle:python python', lang_priority: 'zh-CN', site: 'docs.python.org' }),
    );
    expect(results[0]?.lang).toBe('zh');
  });
});

describe('any two filters', () => {
  const filters = [
    'site:python.org',
    'site:example.edu/papers',
    'filetype:pdf',
    'filetype:zip',
    'intitle:python',
    'tutorial',
    '"数据库"',
    '优化',
    '(site:gov OR filetype:doc)',
  ];
  const parameters: Record<string, string>[] = [
    { site: 'python.org' },
    { site: 'cn' },
    { lang: 'zh' },
    { lang: 'en' },
    { time_range: '7d' },
    { time_range: '30d' },
    { lang_priority: 'zh' },
  ];

  it('give what both give: side by side, ORed, excluded and in groups', async () => {
    for (const one of filters) {
      const a = await found({ q: one });
      expect(await found({ q: `-${one}` })).toEqual(everything.filter((name) => !a.includes(name)));
      for (const other of filters) {
        const b = await found({ q: other });
        const both = a.filter((name) => b.includes(name));
        expect(await found({ q: `${one} ${other}` })).toEqual(both);
        expect(await found({ q: `${one} -${other}` })).toEqual(a.filter((name) => !b.includes(name)));
        expect(await found({ q: `-(${one} ${other})` })).toEqual(
          everything.filter((name) => !both.includes(name)),
        );
        const either = everything.filter((name) => a.includes(name) || b.includes(name));
        expect(await found({ q: `${one} OR ${other}` })).toEqual(either);
        expect(await found({ q: `-(${one} OR ${other})` })).toEqual(
          everything.filter((name) => !either.includes(name)),
        );
      }
    }
  });
  it('as parameters narrow any query, and one another', async () => {
    for (const parameter of parameters) {
      const all = await found({ q: '-nothing', ...parameter });
      for (const q of [...filters, '-filetype:pdf']) {
        const a = await found({ q });
        expect(await found({ q, ...parameter })).toEqual(a.filter((name) => all.includes(name)));
      }
      for (const other of parameters) {
        if (Object.keys(other)[0] === Object.keys(parameter)[0]) continue;
        const b = await found({ q: '-nothing', ...other });
        expect(await found({ q: '-nothing', ...parameter, ...other })).toEqual(
          b.filter((name) => all.includes(name)),
        );
      }
    }
  });
});
