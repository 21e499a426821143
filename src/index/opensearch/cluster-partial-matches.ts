import type { BareWord } from '../../query/bare-words.ts';
import { impactWeights } from '../impact-weights.ts';
import type { IndexHit, PartialAnswer, PartialSearch } from '../page-index.ts';
import { coverageWeights, maxPartialMatches, minShare, wellCovered } from '../partial-matches.ts';
import { rarity, type TermCounts, termWeights } from '../term-weights.ts';
import { countLeaves, type Dsl } from './dsl.ts';
import { filterOf, filtersOf, maxLeaves, preferring, scoringClauses } from './to-opensearch.ts';

/** Prefix of the name of a clause that says which word a page holds. */
export const wordName = 'word ';

/** A search for partial matches, ready to be asked: first for the highest coverage, then for the pages. */
export interface PartialPlan {
  readonly unknown: readonly number[];
  readonly weights: ReadonlyMap<string, number>;
  /** The coverage of a page with all words that any page has. */
  readonly whole: number;
  /** Matches the pages with some words, and none with all. Its score is the coverage. */
  readonly coverage: Dsl;
  /** Matches those with a coverage from `from` to below `to`. Its score is that of the whole query. */
  between(from: number, to: number): Dsl;
}

export function planPartialMatches(search: PartialSearch, counts: TermCounts): PartialPlan {
  const { query, loosened } = search;
  const weights = termWeights(query, counts);
  const rarities = coverageWeights(loosened.words.map(({ of }) => rarity(of, counts)));
  const unknown = rarities.flatMap((each, index) => (each === 0 ? [index] : []));
  const held = loosened.words.map((word, index) => ({ word, index, weight: rarities[index] as number }));
  const known = held.filter(({ weight }) => weight > 0);
  const words = known.map(({ word, index, weight }): Dsl => {
    return { constant_score: { filter: holds(word), boost: weight, _name: `${wordName}${index}` } };
  });
  const conditions: Dsl[] = [filterOf(loosened.hard), ...filtersOf(search)];
  // If no page has one of the words, there is no page with all of them.
  const whole: Dsl[] = unknown.length > 0 ? [] : [{ bool: { filter: known.map(({ word }) => holds(word)) } }];
  const covered: Dsl = { bool: { should: words, minimum_should_match: 1 } };
  const atLeast = (min: number): Dsl => ({ function_score: { query: covered, min_score: min } });
  return {
    unknown,
    weights,
    whole: rarities.reduce((sum, each) => sum + each, 0),
    coverage: { bool: { must: [covered], filter: conditions, must_not: whole } },
    between: (from, to) => {
      const must_not = [atLeast(to), ...whole];
      const hard: Dsl = { bool: { filter: [atLeast(from), ...conditions], must_not } };
      const room = maxLeaves - countLeaves(hard) - 1;
      const should = scoringClauses(impactWeights(weights), { room, explain: search.explain ?? false });
      return preferring({ bool: { ...hard.bool, should, minimum_should_match: 0 } }, search.prefer);
    },
  };
}

/** How the pages are divided by the highest coverage; see `findPartialMatches` of the embedded index. */
export function partialBorders({ whole }: PartialPlan, best: number) {
  const lowest = Math.max(1, Math.ceil(best * minShare));
  return { lowest, border: Math.max(lowest, Math.ceil(whole * wellCovered)), above: best + 1 };
}

/** The answer for the hits, of which `wordsOf` tells the words that each holds. */
export function partialAnswer(
  { unknown, weights, whole }: PartialPlan,
  {
    well,
    rest,
    best,
  }: { readonly well: readonly IndexHit[]; readonly rest: readonly IndexHit[]; readonly best: number },
  held: ReadonlyMap<string, ReadonlySet<number>>,
  words: readonly BareWord[],
): PartialAnswer {
  return {
    well,
    rest: rest.slice(0, maxPartialMatches - well.length),
    coverage: whole === 0 ? 0 : best / whole,
    weights,
    unknown,
    missing: (id) => words.flatMap((_, index) => (held.get(id)?.has(index) ? [] : [index])),
  };
}

function holds({ of }: BareWord): Dsl {
  return filterOf({ kind: 'words', text: '', words: of, quoted: false });
}
