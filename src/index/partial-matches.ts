import { runSteps } from '../async/run-steps.ts';
import { conjuncts, type LoosenedQuery } from '../query/bare-words.ts';
import type { Query } from '../query/query.ts';
import { mentionsSite } from '../query/site.ts';
import { type LivePage, liveHit } from './live/live-tier.ts';
import { byRank, type IndexHit, type PartialAnswer, type PartialSearch } from './page-index.ts';
import { CoverageSource, type CoveredWord, countCoverage, holdsWord } from './segment/coverage.ts';
import { hasPage } from './segment/page-set.ts';
import { pageNumber } from './segment/reader.ts';
import { highestCoverage, searchSegment } from './segment/search.ts';
import { TopK } from './segment/top-k.ts';
import { rarity, termWeights } from './term-weights.ts';
import type { PartNow, Tiers } from './tiers.ts';

/** Maximum partial matches of a query. */
export const maxPartialMatches = 100;
/** From this coverage on a page stands before all that have less, whatever their scores. See docs/relevance.md. */
export const wellCovered = 0.7;
/** What a page must have of the best one's coverage. See docs/relevance.md. */
export const minShare = 0.5;

/** Coverage is counted in whole numbers, with this many units for an idf of 1, or fewer if a query is very long. */
export const rarityUnits = 2 ** 16;
/** Whole numbers up to this one are exact in single precision, the scores of a cluster. */
const maxCoverage = 2 ** 24;
const aboveAll = 2 ** 32 - 1;

/**
 * Finds the pages that have most of a query. The coverage of all pages is counted before anything is scored, with one
 * addition for each posting: the highest coverage decides which pages are scored.
 */
export function findPartialMatches(
  { pause, ...search }: PartialSearch,
  tiers: Tiers,
): Promise<PartialAnswer> {
  return runSteps(matchingSteps(search, tiers), pause);
}

/** The answer of the moment in which it begins. */
function* matchingSteps(
  { query, loosened, explain = false, prefer, ...filters }: Omit<PartialSearch, 'pause'>,
  tiers: Tiers,
): Generator<undefined, PartialAnswer> {
  const parts = tiers.partsNow();
  const counts = tiers.counts();
  const averages = tiers.averageLengths();
  const weights = termWeights(query, counts);
  const rarities = coverageWeights(loosened.words.map(({ of }) => rarity(of, counts)));
  const words = loosened.words.map(({ of }, index) => ({ of, weight: rarities[index] as number }));
  const unknown = indexesWhere(words, ({ weight }) => weight === 0);
  const heldWords = words.filter(({ weight }) => weight > 0);
  const whole = heldWords.reduce((sum, { weight }) => sum + weight, 0);
  // A page with all words is no partial match. If no page has one of the words, there is no such page.
  const below = unknown.length > 0 ? aboveAll : whole;
  const hardSearch = { query: loosened.hard, ...filters, copies: mentionsSite(query) };

  const livePages = new Map(
    tiers
      .live()
      .match({ ...hardSearch, query: anyOf(loosened) })
      .map((page) => [page.id, page]),
  );
  const liveHits = [...livePages.values()].map(
    (page): LiveHit => ({
      ...liveHit(page, weights, averages, prefer),
      coverage: liveCoverage(page, heldWords),
    }),
  );
  const packed: (PartNow & { readonly coverage: Uint32Array })[] = [];
  for (const part of parts) {
    packed.push({ ...part, coverage: countCoverage(part.segment, heldWords) });
    yield;
  }
  let best = liveHits.reduce((max, { coverage }) => Math.max(max, coverage < below ? coverage : 0), 0);
  for (const { coverage, segment, dead } of packed) {
    best = highestCoverage(segment, { ...hardSearch, dead }, { coverage, below, best });
    yield;
  }

  /** The best pages with a coverage from `minCoverage` to below `endCoverage`. */
  function* between(
    minCoverage: number,
    endCoverage: number,
    limit: number,
  ): Generator<undefined, IndexHit[]> {
    if (limit === 0 || minCoverage >= endCoverage) return [];
    const top = new TopK(limit);
    for (const { coverage, segment, dead } of packed) {
      const within = new CoverageSource(coverage, minCoverage, endCoverage);
      searchSegment(segment, {
        ...hardSearch,
        dead,
        weights,
        top,
        within,
        ...(prefer && { prefer }),
      });
      yield;
    }
    const fromLive = liveHits
      .filter(({ coverage }) => coverage >= minCoverage && coverage < endCoverage)
      .map(({ id, crawledAt, score }): IndexHit => ({ id, crawledAt, score }));
    const hits = [...top.hits(), ...fromLive].sort(byRank).slice(0, limit);
    return explain ? tiers.explained(hits, weights) : hits;
  }

  const missing = (id: string): number[] => {
    for (const { segment, dead } of parts) {
      const page = pageNumber(segment, id);
      if (page >= 0 && !(dead && hasPage(dead, page)))
        return indexesWhere(words, ({ of }) => !holdsWord(segment, page, of));
    }
    const page = livePages.get(id);
    return indexesWhere(words, ({ of }) => page === undefined || !holdsInLive(page, of));
  };

  const lowestCoverage = Math.max(1, Math.ceil(best * minShare));
  const border = Math.min(below, Math.max(lowestCoverage, Math.ceil(whole * wellCovered)));
  const well = best === 0 ? [] : yield* between(border, below, maxPartialMatches);
  const rest = best === 0 ? [] : yield* between(lowestCoverage, border, maxPartialMatches - well.length);
  return { well, rest, coverage: whole === 0 ? 0 : best / whole, weights, unknown, missing };
}

interface LiveHit extends IndexHit {
  readonly coverage: number;
}

/** What each word adds to the coverage of a page that holds it, from their rarities; 0 for words of no page. */
export function coverageWeights(rarities: readonly number[]): number[] {
  const sum = rarities.reduce((all, each) => all + each, 0);
  const units = Math.min(rarityUnits, maxCoverage / (1 + sum));
  return rarities.map((each) => (each === 0 ? 0 : Math.max(1, Math.round(each * units))));
}

function indexesWhere<Item>(items: readonly Item[], test: (item: Item) => boolean): number[] {
  return items.flatMap((item, index) => (test(item) ? [index] : []));
}

/** The hard conditions, and any of the words. */
function anyOf({ hard, words }: LoosenedQuery): Query {
  const parts = words.map(
    ({ typed, of }): Query => ({ kind: 'words', text: typed, words: of, quoted: false }),
  );
  return { kind: 'all', of: [...conjuncts(hard), { kind: 'any', of: parts }] };
}

function liveCoverage(page: LivePage, words: readonly CoveredWord[]): number {
  return words.reduce((sum, { of, weight }) => sum + (holdsInLive(page, of) ? weight : 0), 0);
}

function holdsInLive({ frequencies }: LivePage, of: CoveredWord['of']): boolean {
  return of.every(({ term, stem }) => frequencies.has(term) || (stem !== null && frequencies.has(stem)));
}
