import { k1 } from '../bm25f.ts';
import type { IndexSearch } from '../page-index.ts';
import { type Block, blockSize } from './block.ts';
import { CoverageSource } from './coverage.ts';
import { noPage } from './doc-set.ts';
import { type Filters, type ListGroup, type Plan, planSearch } from './plan.ts';
import type { PostingList } from './posting-list.ts';
import { listCursor } from './query-matcher.ts';
import type { Segment } from './reader.ts';
import type { TopK } from './top-k.ts';

export interface SegmentSearch extends Filters, Pick<IndexSearch, 'prefer'> {
  /** How much each term counts, exact forms and stems: idf times share. */
  readonly weights: ReadonlyMap<string, number>;
  /** Takes the best matches; several segments may share it. */
  readonly top: TopK;
}

/** What one step of an impact adds to the term-frequency part of a score, of which `k1 + 1` is the most. */
export const impactStep = (k1 + 1) / 255;

/** Weights are multiples of 1 over this, so sums of them are exact and the same in any order. */
const weightUnits = 2 ** 36;

/** Far above the rounding errors of a score and far below what tells two scores apart. */
const slack = 1e-9;

/**
 * Offers every match to `top` and returns how many there are. Scores are those of BM25F with the segment's averages,
 * but for the impact's byte: off by `impactStep` times the weight at most for each term, by half of it where the
 * impact is not 1.
 */
export function searchSegment(segment: Segment, search: SegmentSearch): number {
  const weights = new Map<number, number>();
  for (const [term, weight] of search.weights) {
    const number = segment.termNumber(term);
    if (number >= 0) weights.set(number, impactWeight(weight));
  }
  const { block } = segment;
  const plan = planSearch(segment, search, weights);
  const fill = blockFiller(block, plan.source);
  let total = 0;
  for (fill(); block.size > 0; fill()) {
    filterBlock(block, plan);
    total += block.size;
    score(block, plan.scored, search);
    offer(segment, search);
  }
  return total;
}

/** The highest coverage of a match that is above `best`; `best` when there is none. */
export function highestCoverage(
  segment: Segment,
  filters: Omit<Filters, 'within'>,
  {
    coverage,
    below,
    best,
  }: { readonly coverage: Uint32Array; readonly below: number; readonly best: number },
): number {
  const source = new CoverageSource(coverage, best + 1, below);
  const plan = planSearch(segment, { ...filters, within: source }, new Map());
  const { block } = segment;
  let highest = best;
  for (source.fill(block); block.size > 0; source.fill(block)) {
    filterBlock(block, plan);
    for (let index = 0; index < block.size; index++)
      highest = Math.max(highest, coverage[block.pages[index] as number] as number);
    source.minCoverage = highest + 1;
  }
  return highest;
}

/** What each term adds to a page's score, before the preference. */
export function scoreParts(
  segment: Segment,
  page: number,
  weights: ReadonlyMap<string, number>,
): Map<string, number> {
  const parts = new Map<string, number>();
  for (const [term, weight] of weights) {
    const number = segment.termNumber(term);
    if (number < 0) continue;
    const cursor = listCursor(segment, number, false);
    if (!cursor.test(page)) continue;
    parts.set(term, impactWeight(weight) * (segment.impacts[cursor.position] as number));
  }
  return parts;
}

function impactWeight(weight: number): number {
  return Math.round(weight * impactStep * weightUnits) / weightUnits;
}

/** Puts the next candidates into the block, or none when there are no more. */
function blockFiller(block: Block, source: Plan['source']): () => void {
  if ('fill' in source) return () => source.fill(block);
  let next = 0;
  return () => {
    block.size = 0;
    while (block.size < blockSize && next < noPage) {
      const page = source.seek(next);
      if (page === noPage) next = noPage;
      else {
        block.add(page);
        next = page + 1;
      }
    }
  };
}

/** Leaves the matches in the block. */
function filterBlock(block: Block, { columnTests, groups, treeTests }: Plan): void {
  for (const test of columnTests) block.filter(test);
  for (const group of groups) if (block.size > 0) filterByGroup(block, group);
  for (const test of treeTests) block.filter(test);
}

function filterByGroup(block: Block, { mustMatch, lists }: ListGroup): void {
  const [only] = lists;
  if (only && lists.length === 1 && mustMatch) {
    only.intersect(block);
  } else if (only && lists.length === 1) {
    only.loadImpacts(block);
    block.keep(block.impacts, false);
  } else {
    block.anyImpacts.fill(0);
    for (const list of lists) {
      list.loadImpacts(block);
      block.addImpacts(list.weight);
      block.mergeImpacts();
    }
    block.keep(block.anyImpacts, mustMatch);
  }
}

/** Adds what the remaining lists have; drops, as soon as that is sure, what cannot come among the best any more. */
function score(block: Block, lists: readonly PostingList[], { prefer, top }: SegmentSearch): void {
  const floor = top.floor / Math.max(1, prefer?.factor ?? 1) - slack;
  let maxScore = lists.reduce((sum, { weight }) => sum + 255 * weight, 0);
  for (const list of lists) {
    block.prune(floor - maxScore);
    if (block.size === 0) return;
    list.loadImpacts(block);
    block.addImpacts(list.weight);
    maxScore -= 255 * list.weight;
  }
}

function offer(segment: Segment, { prefer, top }: SegmentSearch): void {
  const { crawlTimes } = segment;
  const { pages, scores, size } = segment.block;
  if (prefer) preferLanguage(segment, prefer);
  for (let index = 0; index < size; index++) {
    const score = scores[index] as number;
    if (score < top.floor) continue;
    const page = pages[index] as number;
    top.offer(score, crawlTimes[page] as number, segment, page);
  }
}

/** Raises the scores of one language's pages. */
function preferLanguage(
  { block, langs, langCodes }: Segment,
  { lang, factor }: NonNullable<SegmentSearch['prefer']>,
): void {
  const preferred = langCodes.indexOf(lang);
  const { pages, scores, size } = block;
  for (let index = 0; index < size; index++) {
    if (langs[pages[index] as number] === preferred) scores[index] = (scores[index] as number) * factor;
  }
}
