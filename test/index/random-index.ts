import fc from 'fast-check';
import type { IndexSearch } from '../../src/index/page-index.ts';
import type { Page } from '../../src/page.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { examplePage } from '../pages.ts';

export const words = [
  'tree',
  'trees',
  'running',
  'runs',
  'leaf',
  'root',
  'asyncio',
  'json',
  '数据库',
  '优化',
  'naïve',
  'fs.readFile',
  'C++',
];
const text = fc
  .array(fc.constantFrom(...words, 'the', 'of', 'run'), { maxLength: 12 })
  .map((list) => list.join(' '));
export const urls = [
  'https://example.com/',
  'https://docs.example.com/a/b',
  'https://docs.example.com/a/bc',
  'https://notexample.com/a',
  'https://other.org/a/b.pdf',
  'https://xn--bcher-kva.example/x',
];
/** A page at one of few addresses. */
export const randomPage = fc
  .record({
    url: fc.constantFrom(...urls),
    title: text,
    headings: text,
    body: text,
    lang: fc.constantFrom('en', 'zh'),
    fileType: fc.constantFrom('html', 'pdf', 'docx'),
    crawledAt: fc.integer({ min: 1, max: 5 }),
    isPrivate: fc.boolean(),
    original: fc.option(fc.constantFrom('a', 'b'), { freq: 3 }),
  })
  .map(({ original, isPrivate, ...rest }) => ({
    ...rest,
    ...(original && { copyOf: original.repeat(26) }),
    ...(isPrivate && { isPrivate }),
  }))
  .map((fields) => examplePage(fields as Partial<Page> & { url: string }));
const operand = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(...words).map((word) => `intitle:${word}`),
  fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map((pair) => `"${pair.join(' ')}"`),
  fc.constantFrom(
    'site:example.com',
    'site:docs.example.com/a/b',
    'site:org',
    'filetype:pdf',
    'filetype:doc',
  ),
);
const q = fc
  .array(
    fc.oneof(
      operand,
      operand.map((word) => `-${word}`),
      operand.map((word) => `${word} ${word}`),
      fc.tuple(operand, operand).map(([a, b]) => `${a} OR ${b}`),
      fc.tuple(operand, operand).map(([a, b]) => `-(${a} ${b})`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(' '));
export const randomQuery = q.map((text) => parseQuery(text));
/** The filters that a query may come with. */
export const randomFilters = fc
  .record({
    lang: fc.option(fc.constantFrom('en', 'zh')),
    crawledSince: fc.option(fc.integer({ min: 1, max: 5 })),
    publicOnly: fc.boolean(),
    prefer: fc.option(fc.constant({ lang: 'zh', factor: 1.5 })),
  })
  .map(
    ({ lang, crawledSince, publicOnly, prefer }): Omit<IndexSearch, 'query' | 'limit'> => ({
      ...(lang && { lang }),
      ...(crawledSince && { crawledSince }),
      ...(publicOnly && { publicOnly }),
      ...(prefer && { prefer }),
    }),
  );
export const randomSearch = fc
  .tuple(randomQuery, randomFilters)
  .map(([query, filters]): IndexSearch => ({ query, limit: 100, ...filters }));
