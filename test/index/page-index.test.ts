import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openIndex } from '../../src/index/open-index.ts';
import type { IndexChange, PageIndex } from '../../src/index/page-index.ts';
import type { Page } from '../../src/page.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { silentLog } from '../../src/runtime.ts';
import { examplePage } from '../pages.ts';
import { bruteForce } from './brute-force.ts';
import { randomPage, randomSearch } from './random-index.ts';

/** Every index passes this suite; what differs is how it is opened. */
const indexes: [string, () => PageIndex][] = [['live', () => openIndex({ log: silentLog })]];

/** A page that is put, or the number of an earlier one to remove. */
const history = fc.array(fc.oneof({ weight: 4, arbitrary: randomPage }, fc.nat(5)), { maxLength: 20 });

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
      fc.asyncProperty(history, randomSearch, async (steps, asked) => {
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
    expect(index.stats()).toMatchObject({ pages: 0, seq: 2 });
  });
});
