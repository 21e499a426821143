import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openIndex } from '../../src/index/open-index.ts';
import type { IndexChange, IndexSearch, PageIndex } from '../../src/index/page-index.ts';
import type { Page } from '../../src/page.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { examplePage } from '../pages.ts';
import { bruteForce } from './brute-force.ts';

/** Every index passes this suite; what differs is how it is opened. */
const indexes: [string, () => PageIndex][] = [['live', openIndex]];

const words = [
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
const urls = [
  'https://example.com/',
  'https://docs.example.com/a/b',
  'https://docs.example.com/a/bc',
  'https://notexample.com/a',
  'https://other.org/a/b.pdf',
  'https://xn--bcher-kva.example/x',
];
const page = fc
  .record({
    url: fc.constantFrom(...urls),
    title: text,
    headings: text,
    body: text,
    lang: fc.constantFrom('en', 'zh'),
    fileType: fc.constantFrom('html', 'pdf', 'docx'),
    crawledAt: fc.integer({ min: 1, max: 5 }),
  })
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
      fc.tuple(operand, operand).map(([a, b]) => `${a} OR ${b}`),
      fc.tuple(operand, operand).map(([a, b]) => `-(${a} ${b})`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(' '));
const search = fc
  .record({
    q,
    lang: fc.option(fc.constantFrom('en', 'zh')),
    crawledSince: fc.option(fc.integer({ min: 1, max: 5 })),
    prefer: fc.option(fc.constant({ lang: 'zh', factor: 1.5 })),
  })
  .map(
    ({ q, lang, crawledSince, prefer }): IndexSearch => ({
      query: parseQuery(q),
      limit: 100,
      ...(lang && { lang }),
      ...(crawledSince && { crawledSince }),
      ...(prefer && { prefer }),
    }),
  );
/** A page that is put, or the number of an earlier one to remove. */
const history = fc.array(fc.oneof({ weight: 4, arbitrary: page }, fc.nat(5)), { maxLength: 20 });

/** The changes of a history, and the pages that are left after it. */
function replay(steps: readonly (Page | number)[]): { changes: IndexChange[]; left: Page[] } {
  const pages = new Map<string, Page>();
  const changes = steps.flatMap((step, at): IndexChange[] => {
    const seq = at + 1;
    if (typeof step !== 'number') {
      pages.set(step.id, step);
      return [{ seq, kind: 'put', page: step }];
    }
    const id = [...pages.keys()][step];
    if (id === undefined) return [];
    pages.delete(id);
    return [{ seq, kind: 'remove', id }];
  });
  return { changes, left: [...pages.values()] };
}

describe.each(indexes)('the %s index', (_, open) => {
  test('matches, totals and order equal a scan over all pages, whatever was put and removed before', async () => {
    await fc.assert(
      fc.asyncProperty(history, search, async (steps, asked) => {
        const { changes, left } = replay(steps);
        const index = open();
        await index.apply(changes);
        const expected = bruteForce(left, asked);
        const answer = await index.search(asked);
        expect(answer.total).toBe(expected.length);
        expect(answer.hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        for (const [at, { score }] of answer.hits.entries()) {
          expect(score).toBeCloseTo(expected[at]?.score ?? Number.NaN, 9);
        }
        await index.close();
      }),
      { numRuns: 300 },
    );
  });

  test('gives the best hits alone and counts all', async () => {
    const index = open();
    const pages = Array.from({ length: 30 }, (_, n) =>
      examplePage({ url: `https://a.example/${n}`, body: 'leaf' }),
    );
    await index.apply(pages.map((page, at) => ({ seq: at + 1, kind: 'put', page })));
    const { total, hits } = await index.search({ query: parseQuery('leaf'), limit: 7 });
    expect([total, hits.length]).toEqual([30, 7]);
  });

  test('a change that was applied before is skipped', async () => {
    const index = open();
    const page = examplePage({ url: 'https://a.example/', body: 'leaf' });
    await index.apply([{ seq: 1, kind: 'put', page }]);
    await index.apply([{ seq: 2, kind: 'remove', id: page.id }]);
    await index.apply([{ seq: 1, kind: 'put', page }]);
    expect(index.stats()).toEqual({ pages: 0, seq: 2 });
  });
});
