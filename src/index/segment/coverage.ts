import type { Word } from '../../query/query.ts';
import { type Block, type BlockSource, blockSize } from './block.ts';
import { formsOf } from './clause.ts';
import type { Segment } from './reader.ts';

/** A word of a query. A page holds it if it has all of its terms, each in one of its forms. */
export interface CoveredWord {
  readonly of: readonly Word[];
  /** Its part of a page's coverage: a whole number, so that sums are exact. */
  readonly weight: number;
}

/** The sum of the weights of the words that each page of a segment holds. Filters do not apply. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the innermost loop of partial matches: no calls in it
export function countCoverage(segment: Segment, words: readonly CoveredWord[]): Uint32Array {
  const coverage = new Uint32Array(segment.pageCount);
  /** By page number: the last step in which the page was in a posting list. */
  let lastSteps: Uint32Array | undefined;
  let step = 0;
  for (const { of, weight } of words) {
    const forms = of.map((word) => formsOf(segment, word));
    const only = forms.length === 1 && forms[0]?.length === 1 ? forms[0][0] : undefined;
    if (only !== undefined) {
      const { pages, start, end } = segment.lists.whole({ term: only, inTitle: false });
      for (let index = start; index < end; index++) {
        const page = pages[index] as number;
        coverage[page] = (coverage[page] as number) + weight;
      }
      continue;
    }
    // A page with two forms of a term counts once, and a page that lacks one of the terms does not count.
    lastSteps ??= new Uint32Array(segment.pageCount);
    for (const [formIndex, lists] of forms.entries()) {
      const isLast = formIndex === forms.length - 1;
      step++;
      for (const list of lists) {
        const { pages, start, end } = segment.lists.whole({ term: list, inTitle: false });
        for (let index = start; index < end; index++) {
          const page = pages[index] as number;
          const last = lastSteps[page] as number;
          if (last === step || (formIndex > 0 && last !== step - 1)) continue;
          lastSteps[page] = step;
          if (isLast) coverage[page] = (coverage[page] as number) + weight;
        }
      }
    }
    // So that the next word's first term does not continue this word's last step.
    step++;
  }
  return coverage;
}

/** Whether a page holds a word. */
export function holdsWord(segment: Segment, page: number, of: readonly Word[]): boolean {
  return of.every((word) =>
    formsOf(segment, word).some((term) => segment.lists.postingOf({ term, inTitle: false }, page) >= 0),
  );
}

/** The pages of a segment with a coverage from `minCoverage` to below `below`, ascending. */
export class CoverageSource implements BlockSource {
  /** May be raised between two blocks. */
  minCoverage: number;
  private readonly coverage: Uint32Array;
  private readonly below: number;
  private next = 0;

  constructor(coverage: Uint32Array, minCoverage: number, below: number) {
    this.coverage = coverage;
    this.minCoverage = minCoverage;
    this.below = below;
  }

  fill(block: Block): void {
    const { coverage, minCoverage, below } = this;
    const { pages, scores } = block;
    let size = 0;
    while (size === 0 && this.next < coverage.length) {
      const end = Math.min(this.next + blockSize, coverage.length);
      for (let page = this.next; page < end; page++) {
        // Always written, and counted only if kept, as in `Block.keep`. Writes past the end of the block are ignored.
        pages[size] = page;
        scores[size] = 0;
        const pageCoverage = coverage[page] as number;
        size += pageCoverage >= minCoverage && pageCoverage < below ? 1 : 0;
      }
      this.next = end;
    }
    block.size = size;
  }
}
