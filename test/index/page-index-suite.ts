import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { impactStep } from '../../src/index/impact-weights.ts';
import {
  byRank,
  type IndexAnswer,
  type IndexChange,
  type IndexSearch,
  type PageIndex,
} from '../../src/index/page-index.ts';
import type { Page } from '../../src/page.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { examplePage } from '../pages.ts';
import { bruteForce } from './brute-force.ts';
import { randomPage, randomSearch } from './random-index.ts';

/** An index under test. */
export interface IndexUnderTest {
  /** Opens an empty one. */
  readonly open: () => PageIndex | Promise<PageIndex>;
  /** Whether scores are those of plain BM25F; else they come from impacts, with the averages of the index. */
  readonly isExact: boolean;
  readonly runs: number;
}

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

type Scored = ReturnType<typeof bruteForce>;

function expectExact({ total, hits }: IndexAnswer, expected: Scored): void {
  expect(total).toBe(expected.length);
  expect(hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  for (const [place, { score }] of hits.entries())
    expect(score).toBeCloseTo(expected[place]?.score ?? Number.NaN, 9);
}

/** As exact as one byte an impact allows. */
function expectWithinBound(
  { total, hits, weights }: IndexAnswer,
  { prefer }: IndexSearch,
  expected: Scored,
): void {
  expect(total).toBe(expected.length);
  expect(hits).toEqual(hits.toSorted(byRank));
  const scores = new Map(expected.map(({ id, score }) => [id, score]));
  expect(hits.map(({ id }) => id).sort()).toEqual([...scores.keys()].sort());
  const sum = [...weights.values()].reduce((all, weight) => all + weight, 0);
  const bound = sum * impactStep * (prefer?.factor ?? 1) + 1e-9;
  for (const { id, score } of hits)
    expect(Math.abs(score - (scores.get(id) as number))).toBeLessThanOrEqual(bound);
}

/** What every index has to pass. */
export function describePageIndex(name: string, { open, isExact, runs }: IndexUnderTest): void {
  describe(`the ${name} index`, () => {
    test('matches, totals and order equal a scan over all pages, whatever was put and removed before', async () => {
      await fc.assert(
        fc.asyncProperty(history, randomSearch, async (steps, asked) => {
          const { changes, left } = replay(steps);
          const index = await open();
          await index.apply(changes);
          const answer = await index.search(asked);
          if (isExact) expectExact(answer, bruteForce(left, asked));
          else expectWithinBound(answer, asked, bruteForce(left, asked, { ...index.stats(), ...answer }));
          await index.close();
        }),
        { numRuns: runs },
      );
    });

    test('gives the best hits alone and counts all', async () => {
      const index = await open();
      const pages = Array.from({ length: 30 }, (_, n) =>
        examplePage({ url: `https://a.example/${n}`, body: 'leaf' }),
      );
      await index.apply(pages.map((page, at) => ({ seq: at + 1, kind: 'put', page })));
      const { total, hits } = await index.search({ query: parseQuery('leaf'), limit: 7 });
      expect([total, hits.length]).toEqual([30, 7]);
    });

    test('a change that was applied before is skipped', async () => {
      const index = await open();
      const page = examplePage({ url: 'https://a.example/', body: 'leaf' });
      await index.apply([{ seq: 1, kind: 'put', page }]);
      await index.apply([{ seq: 2, kind: 'remove', id: page.id }]);
      await index.apply([{ seq: 1, kind: 'put', page }]);
      expect(index.stats()).toMatchObject({ pages: 0, seq: 2 });
    });
  });
}
