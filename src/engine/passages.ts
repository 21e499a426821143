import type { FoundTerm } from '../text/find-terms.ts';
import { type Outline, type Paragraph, sentenceAt } from './outline.ts';
import { endsSentence, type Stretch } from './sentences.ts';

/** Of one passage, in UTF-16 units. */
export const shortestPassage = 80;
export const longestPassage = 240;

/** The words of the query in one sentence, from the first to the last, and how well the sentence answers it. */
export interface Passage extends Stretch {
  readonly score: number;
  /** How well it reads: 1 for a sentence. */
  readonly quality: number;
  readonly words: ReadonlySet<string>;
}

/** What is left of the score of a paragraph that is not prose, unless it ends as a sentence does. */
const kindFactors: Readonly<Record<Paragraph['kind'], number>> = {
  text: 1,
  item: 0.6,
  row: 0.6,
  heading: 0.5,
  title: 0.3,
};
const sentenceInList = 0.9;
const shortSentence = 0.85;
/** A sentence of `plenty` letters says more than a shorter one; by at most this share. */
const brevityLoss = 0.1;
const plenty = 120;
const longFragment = 0.8;
const shortFragment = 0.55;
/** A Han or kana character says as much as about three letters. */
const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** In letters. */
const shortestFullSentence = 40;

/** What words that stand side by side add, as a share of the lesser one's weight. */
const adjacencyShare = 0.2;
/** What a passage loses that stands this far down or further. */
const latenessShare = 0.1;
const late = 5000;

/** The sentences that hold words of the query, in the order of the text; a longer one than may be shown in parts. */
export function scorePassages(body: string, outline: Outline, found: readonly FoundTerm[]): Passage[] {
  const passages: Passage[] = [];
  let next = 0;
  while (next < found.length) {
    const first = found[next] as FoundTerm;
    const paragraph = outline.at(first.start);
    const sentence = (paragraph && sentenceAt(paragraph, first.start)) ?? first;
    const within: FoundTerm[] = [];
    for (let token: FoundTerm | undefined = first; token; token = found[next]) {
      if (token.start >= sentence.end || token.end - first.start > longestPassage) break;
      within.push(token);
      next++;
    }
    if (within.length === 0) next++;
    else passages.push(scorePassage(within, qualityOf(body, sentence, paragraph)));
  }
  return passages;
}

function scorePassage(found: readonly FoundTerm[], quality: number): Passage {
  const weights = new Map<string, number>();
  const pairs = new Set<string>();
  let score = 0;
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  let before: FoundTerm | undefined;
  for (const token of found) {
    const { word, weight } = token;
    const known = weights.get(word);
    if (known === undefined || weight > known) {
      score += weight - (known ?? 0);
      weights.set(word, weight);
    }
    if (before && before.word !== word && token.start <= before.end + 1) {
      const pair = `${before.word} ${word}`;
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

function qualityOf(body: string, sentence: Stretch, paragraph: Paragraph | undefined): number {
  const text = body.slice(sentence.start, Math.min(sentence.end, sentence.start + longestPassage));
  const letters = text.length + 2 * (text.match(ideographs)?.length ?? 0);
  const kind = paragraph?.kind ?? 'text';
  const isFull = endsSentence(body, sentence.end) && letters >= shortestFullSentence;
  if (kind !== 'text') return isFull && kind !== 'title' ? sentenceInList : kindFactors[kind];
  if (isFull) return 1 - brevityLoss * (1 - Math.min(1, letters / plenty));
  if (endsSentence(body, sentence.end)) return shortSentence;
  return letters >= 2 * shortestFullSentence ? longFragment : shortFragment;
}

/** So that a word of no weight is still rather seen than not. */
const leastWeight = 1e-6;
/** Sums in another order differ by less. */
export const noDifference = 1e-9;

/** How much each word counts: as much as its best form that was found, and a little more than nothing. */
export function wordWeights(found: readonly FoundTerm[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { word, weight } of found) {
    weights.set(word, Math.max(weights.get(word) ?? 0, weight, leastWeight));
  }
  return weights;
}

/** The stretch of at most `longestPassage`, but for the last word, with the greatest weight of distinct words. */
export function bestWindow(found: readonly FoundTerm[], weights: ReadonlyMap<string, number>): Stretch {
  const counts = new Map<string, number>();
  let weight = 0;
  let most = 0;
  let best: readonly [first: number, last: number] = [0, 0];
  let first = 0;
  for (const [place, newest] of found.entries()) {
    const count = counts.get(newest.word) ?? 0;
    if (count === 0) weight += weights.get(newest.word) ?? 0;
    counts.set(newest.word, count + 1);
    for (; newest.end - (found[first] as FoundTerm).start > longestPassage; first++) {
      const { word } = found[first] as FoundTerm;
      const left = (counts.get(word) ?? 0) - 1;
      if (left === 0) weight -= weights.get(word) ?? 0;
      counts.set(word, left);
    }
    if (weight <= most + noDifference) continue;
    most = weight;
    best = [first, place];
  }
  const held = found.slice(best[0], best[1] + 1);
  const ends = held.map(({ end }) => end);
  return { start: held[0]?.start ?? 0, end: ends.reduce((one, other) => Math.max(one, other), 0) };
}
