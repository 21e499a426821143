import type { FoundTerm } from '../../text/find-terms.ts';
import { sentenceQuality, shortFragmentCode } from '../../text/passages/sentence-code.ts';
import { type SentenceTable, sentenceHolding } from '../../text/passages/sentence-table.ts';
import type { Stretch } from '../../text/passages/sentences.ts';

/** Lengths of one passage, in UTF-16 units. */
export const minPassageLength = 80;
export const maxPassageLength = 240;

/** The query words in one sentence, from the first to the last, with the score of the sentence. */
export interface Passage extends Stretch {
  readonly score: number;
  /** Readability: 1 for a full sentence. */
  readonly quality: number;
  readonly words: ReadonlySet<string>;
}

/** Bonus for two adjacent words, as a share of the smaller weight. */
const adjacencyShare = 0.2;
/** Maximum share that a passage loses for its offset, reached at `late`. */
const latenessShare = 0.1;
const late = 5000;

/** Minimum weight of a word for a passage, as a share of the highest weight: articles alone make no passage. */
const minShare = 0.2;

/**
 * The passages with query words of sufficient weight, in the order of the text: one for each sentence, several for a
 * sentence that is longer than `maxPassageLength`.
 */
export function scorePassages(
  sentences: SentenceTable,
  matches: readonly FoundTerm[],
  weights: ReadonlyMap<string, number>,
): Passage[] {
  const passages: Passage[] = [];
  const minWeight = minShare * [...weights.values()].reduce((one, other) => Math.max(one, other), 0);
  let next = 0;
  for (const [index, token] of matches.entries()) {
    if (index < next || (weights.get(token.word) ?? 0) < minWeight) continue;
    const holding = sentenceHolding(sentences, token.start);
    const sentence = holding ?? token;
    const isWithin = (one: FoundTerm | undefined, other: FoundTerm | undefined) =>
      one && other && one.start >= sentence.start && other.end - one.start <= maxPassageLength;
    let first = index;
    while (first > next && isWithin(matches[first - 1], token)) first--;
    next = index + 1;
    while ((matches[next]?.start ?? sentence.end) < sentence.end && isWithin(matches[first], matches[next]))
      next++;
    passages.push(
      scorePassage(matches.slice(first, next), sentenceQuality(holding?.code ?? shortFragmentCode)),
    );
  }
  return passages;
}

function scorePassage(matches: readonly FoundTerm[], quality: number): Passage {
  const weights = new Map<string, number>();
  let pairs: Set<string> | undefined;
  let score = 0;
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  let before: FoundTerm | undefined;
  for (const token of matches) {
    const { word, weight } = token;
    const countedWeight = weights.get(word);
    if (countedWeight === undefined || weight > countedWeight) {
      score += weight - (countedWeight ?? 0);
      weights.set(word, weight);
    }
    if (before && before.word !== word && token.start <= before.end + 1) {
      const pair = `${before.word} ${word}`;
      pairs ??= new Set();
      if (!pairs.has(pair)) score += adjacencyShare * Math.min(weight, before.weight);
      pairs.add(pair);
    }
    start = Math.min(start, token.start);
    end = Math.max(end, token.end);
    before = token;
  }
  const lateness = latenessShare * Math.min(1, start / late);
  return { start, end, quality, words: new Set(weights.keys()), score: score * quality * (1 - lateness) };
}

/** Above 0, so that a passage with a word of no weight is better than one without it. */
const minWordWeight = 1e-6;
/** Rounding errors of sums in another order are smaller. */
export const noDifference = 1e-9;

/** The weight of each word: that of its best form among the matches, and at least `minWordWeight`. */
export function wordWeights(matches: readonly FoundTerm[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { word, weight } of matches) {
    weights.set(word, Math.max(weights.get(word) ?? 0, weight, minWordWeight));
  }
  return weights;
}

/**
 * The stretch of at most `maxPassageLength` with the greatest weight of distinct words; the shortest among equal ones. Its
 * last word may exceed the length.
 */
export function bestWindow(matches: readonly FoundTerm[], weights: ReadonlyMap<string, number>): Stretch {
  const counts = new Map<string, number>();
  let weight = 0;
  let first = 0;
  let maxWeight = 0;
  let best: readonly FoundTerm[] = [];

  function add({ word }: FoundTerm, change: 1 | -1): void {
    const count = (counts.get(word) ?? 0) + change;
    counts.set(word, count);
    if (count === (change === 1 ? 1 : 0)) weight += change * (weights.get(word) ?? 0);
  }

  for (const [index, newest] of matches.entries()) {
    add(newest, 1);
    for (; first < index; first++) {
      const oldest = matches[first] as FoundTerm;
      const isRepeated = (counts.get(oldest.word) ?? 0) > 1;
      if (!isRepeated && newest.end - oldest.start <= maxPassageLength) break;
      add(oldest, -1);
    }
    if (weight < maxWeight - noDifference) continue;
    const length = newest.end - (matches[first] as FoundTerm).start;
    if (weight <= maxWeight + noDifference && length >= lengthOf(best)) continue;
    maxWeight = weight;
    best = matches.slice(first, index + 1);
  }
  const ends = best.map(({ end }) => end);
  return { start: best[0]?.start ?? 0, end: ends.reduce((one, other) => Math.max(one, other), 0) };
}

function lengthOf(matches: readonly FoundTerm[]): number {
  return (matches.at(-1)?.end ?? 0) - (matches[0]?.start ?? 0);
}
