import type { Occurrences, WordForm } from '../../text/occurrences/occurrences.ts';
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
  /** The words are the matches from one index to another. */
  readonly firstMatch: number;
  readonly endMatch: number;
}

/** The weight of each word by its number; 0 or absent for a word that is not there. */
export type WordWeights = readonly number[];

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
  matches: Occurrences,
  weights: WordWeights,
): Passage[] {
  const passages: Passage[] = [];
  let greatest = 0;
  for (const weight of weights) greatest = Math.max(greatest, weight);
  const minWeight = minShare * greatest;
  const { length } = matches;
  let next = 0;
  for (let index = 0; index < length; index++) {
    if (index < next || weightIn(weights, matches.formOf(index)) < minWeight) continue;
    const start = matches.startOf(index);
    const end = matches.endOf(index);
    const holding = sentenceHolding(sentences, start);
    const sentence = holding ?? { start, end };
    let first = index;
    while (
      first > next &&
      matches.startOf(first - 1) >= sentence.start &&
      end - matches.startOf(first - 1) <= maxPassageLength
    )
      first--;
    const latest = matches.startOf(first) + maxPassageLength;
    const hasRoom = matches.startOf(first) >= sentence.start;
    next = index + 1;
    while (hasRoom && next < length && matches.startOf(next) < sentence.end && matches.endOf(next) <= latest)
      next++;
    const quality = sentenceQuality(holding?.code ?? shortFragmentCode);
    passages.push(scorePassage(matches, first, next, quality));
  }
  return passages;
}

/** The greatest weight of each word of a passage by its number; 0 between two calls. */
const counted: number[] = [];

/** The passage from one match to another. */
function scorePassage(matches: Occurrences, firstMatch: number, endMatch: number, quality: number): Passage {
  let pairs: Set<string> | undefined;
  let score = 0;
  let end = 0;
  for (let index = firstMatch; index < endMatch; index++) {
    const { word, number, weight } = matches.formOf(index);
    while (counted.length <= number) counted.push(0);
    const before = counted[number] as number;
    if (weight > before) {
      score += weight - before;
      counted[number] = weight;
    }
    const last = index > firstMatch ? matches.formOf(index - 1) : undefined;
    if (last && last.number !== number && matches.startOf(index) <= matches.endOf(index - 1) + 1) {
      const pair = `${last.word} ${word}`;
      pairs ??= new Set();
      if (!pairs.has(pair)) score += adjacencyShare * Math.min(weight, last.weight);
      pairs.add(pair);
    }
    end = Math.max(end, matches.endOf(index));
  }
  for (let index = firstMatch; index < endMatch; index++) counted[matches.formOf(index).number] = 0;
  const start = matches.startOf(firstMatch);
  const lateness = latenessShare * Math.min(1, start / late);
  return { start, end, quality, score: score * quality * (1 - lateness), firstMatch, endMatch };
}

/** Above 0, so that a passage with a word of no weight is better than one without it. */
const minWordWeight = 1e-6;
/** Rounding errors of sums in another order are smaller. */
export const noDifference = 1e-9;

/** The weight of each word: that of its best form among the matches, and at least `minWordWeight`. */
export function wordWeights(matches: Occurrences): WordWeights {
  const weights: number[] = [];
  for (let index = 0; index < matches.length; index++) {
    const { number, weight } = matches.formOf(index);
    while (weights.length <= number) weights.push(0);
    if (weight > (weights[number] as number)) weights[number] = weight;
    else if (weights[number] === 0) weights[number] = minWordWeight;
  }
  return weights;
}

function weightIn(weights: WordWeights, { number }: WordForm): number {
  return weights[number] ?? 0;
}

/**
 * The stretch of at most `maxPassageLength` with the greatest weight of distinct words; the shortest among equal ones. Its
 * last word may exceed the length.
 */
export function bestWindow(matches: Occurrences, weights: WordWeights): Stretch {
  const counts: number[] = [];
  let weight = 0;
  let first = 0;
  let maxWeight = 0;
  let bestFirst = 0;
  let bestEnd = 0;

  const weightOf = (index: number): number => weightIn(weights, matches.formOf(index));
  const countOf = (index: number): number => counts[matches.formOf(index).number] ?? 0;
  const count = (index: number, change: 1 | -1): number => {
    const changed = countOf(index) + change;
    counts[matches.formOf(index).number] = changed;
    return changed;
  };

  for (let newest = 0; newest < matches.length; newest++) {
    if (count(newest, 1) === 1) weight += weightOf(newest);
    const end = matches.endOf(newest);
    for (; first < newest; first++) {
      const isRepeated = countOf(first) > 1;
      if (!isRepeated && end - matches.startOf(first) <= maxPassageLength) break;
      if (count(first, -1) === 0) weight -= weightOf(first);
    }
    if (weight < maxWeight - noDifference) continue;
    const length = end - matches.startOf(first);
    if (weight <= maxWeight + noDifference && length >= lengthOf(matches, bestFirst, bestEnd)) continue;
    maxWeight = weight;
    bestFirst = first;
    bestEnd = newest + 1;
  }
  if (bestEnd === 0) return { start: 0, end: 0 };
  let end = 0;
  for (let index = bestFirst; index < bestEnd; index++) end = Math.max(end, matches.endOf(index));
  return { start: matches.startOf(bestFirst), end };
}

/** From the beginning of the first of some matches to the end of the last one; 0 of none. */
function lengthOf(matches: Occurrences, first: number, last: number): number {
  return last === 0 ? 0 : matches.endOf(last - 1) - matches.startOf(first);
}
