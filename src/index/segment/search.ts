import { impactWeights, maxImpact } from '../impact-weights.ts';
import type { IndexSearch } from '../page-index.ts';
import { type Block, blockSize, searchBlock } from './block.ts';
import { CoverageSource } from './coverage.ts';
import { noPage } from './lists/page-list.ts';
import { type Filters, type ListGroup, type Plan, planSearch } from './plan.ts';
import type { PostingList } from './posting-list.ts';
import type { Segment } from './reader.ts';
import type { TopK } from './top-k.ts';

export interface SegmentSearch extends Filters, Pick<IndexSearch, 'prefer'> {
  /** The weight of each term, exact forms and stems: idf times share. */
  readonly weights: ReadonlyMap<string, number>;
  /** Collects the best matches; several segments may share it. */
  readonly top: TopK;
}

/** Far above the rounding errors of a score, and far below the difference of two scores. */
const slack = 1e-9;

/**
 * Offers all matches to `top` and returns their number. Scores are BM25F with the segment's averages. Because an impact is
 * one byte, they differ from the exact value: for each term by at most half of `impactStep` times the weight, or by all of
 * it where the impact is 1. Weights are rounded by far less; see `impactWeights`.
 */
export function searchSegment(segment: Segment, search: SegmentSearch): number {
  const weights = new Map<number, number>();
  for (const [term, weight] of impactWeights(search.weights)) {
    const number = segment.termNumber(term);
    if (number >= 0) weights.set(number, weight);
  }
  const block = searchBlock;
  const plan = planSearch(segment, search, weights);
  const fill = blockFiller(block, plan.source);
  let total = 0;
  for (fill(); block.size > 0; fill()) {
    filterBlock(block, plan);
    total += block.size;
    addScores(block, plan.scored, search);
    offer(segment, search);
  }
  return total;
}

/** The highest coverage of a match; `best` if none is higher. */
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
  const block = searchBlock;
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
  for (const [term, weight] of impactWeights(weights)) {
    const number = segment.termNumber(term);
    if (number < 0) continue;
    const posting = segment.lists.postingOf({ term: number, inTitle: false }, page);
    if (posting < 0) continue;
    parts.set(term, weight * (segment.impacts[posting] as number));
  }
  return parts;
}

/** Returns the function that puts the next candidates into the block; none at the end. */
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

/** Removes the candidates that do not match. */
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

/** Adds the scores of the remaining lists, and drops candidates as soon as they cannot be among the best any more. */
function addScores(block: Block, lists: readonly PostingList[], { prefer, top }: SegmentSearch): void {
  const floor = top.floor / Math.max(1, prefer?.factor ?? 1) - slack;
  let maxScore = lists.reduce((sum, { weight }) => sum + maxImpact * weight, 0);
  for (const list of lists) {
    block.prune(floor - maxScore);
    if (block.size === 0) return;
    list.loadImpacts(block);
    block.addImpacts(list.weight);
    maxScore -= maxImpact * list.weight;
  }
}

function offer(segment: Segment, { prefer, top }: SegmentSearch): void {
  const { crawlTimes } = segment;
  const { pages, scores, size } = searchBlock;
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
  { langs, langCodes }: Segment,
  { lang, factor }: NonNullable<SegmentSearch['prefer']>,
): void {
  const preferred = langCodes.indexOf(lang);
  const { pages, scores, size } = searchBlock;
  for (let index = 0; index < size; index++) {
    if (langs[pages[index] as number] === preferred) scores[index] = (scores[index] as number) * factor;
  }
}
