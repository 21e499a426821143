import { type FoundTerm, inReadingOrder } from './find-terms.ts';

/** Words of one subject stand within this distance, in UTF-16 units: about two sentences. */
const reach = 200;

export interface ChoiceLimits {
  /** Maximum for each word. All forms that share a `word` count together. */
  readonly perWord: number;
  /** Maximum for all words together. Each word gets an even share. */
  readonly terms: number;
}

/** The occurrences of one word in a text, in the order of the text. Objects are made of those alone that are chosen. */
export interface WordOccurrences {
  readonly word: string;
  readonly length: number;
  /** The offset at which an occurrence begins. */
  startOf(index: number): number;
  at(index: number): FoundTerm;
}

/**
 * Chooses occurrences of words in a text, so that no limit is exceeded. Of a word with too many, those near the rarest words
 * come first: the line that defines `SQLITE_USE_URI` stands far behind the fiftieth `sqlite` of a long page. Returns them in
 * reading order.
 */
export function chooseOccurrences(
  words: readonly WordOccurrences[],
  { perWord, terms }: ChoiceLimits,
): FoundTerm[] {
  const most = Math.min(perWord, Math.max(1, Math.floor(terms / Math.max(1, words.length))));
  const isAll = words.length <= terms && words.every(({ length }) => length <= most);
  const chosen: FoundTerm[] = [];
  if (isAll) {
    for (const word of words) takeAll(word, chosen);
    return words.length === 1 ? chosen : readingOrder(chosen);
  }
  const rarestFirst = words.toSorted(byRarity);
  const anchors = anchorsOf(rarestFirst, most);
  for (const word of rarestFirst) {
    if (chosen.length >= terms) break;
    if (word.length <= most) takeAll(word, chosen);
    else for (const index of chooseNear(word, anchors, most)) chosen.push(word.at(index));
  }
  return readingOrder(chosen.slice(0, terms));
}

/** The occurrences of each word. */
export function groupByWord(found: readonly FoundTerm[]): FoundOccurrences[] {
  const words = new Map<string, FoundTerm[]>();
  for (const token of found) {
    const own = words.get(token.word);
    if (own) own.push(token);
    else words.set(token.word, [token]);
  }
  return Array.from(words, ([word, own]) => new FoundOccurrences(word, own));
}

/** Occurrences that are objects already. */
export class FoundOccurrences implements WordOccurrences {
  readonly word: string;
  readonly found: readonly FoundTerm[];

  constructor(word: string, found: readonly FoundTerm[]) {
    this.word = word;
    this.found = found;
  }

  get length(): number {
    return this.found.length;
  }

  startOf(index: number): number {
    return this.at(index).start;
  }

  at(index: number): FoundTerm {
    return this.found[index] as FoundTerm;
  }
}

function takeAll(word: WordOccurrences, chosen: FoundTerm[]): void {
  for (let index = 0; index < word.length; index++) chosen.push(word.at(index));
}

function byRarity(one: WordOccurrences, other: WordOccurrences): number {
  if (one.length !== other.length) return one.length - other.length;
  return one.word < other.word ? -1 : 1;
}

/** The offsets of the rarest words: as many words as have at most `most` occurrences together, and at least one. */
function anchorsOf(rarestFirst: readonly WordOccurrences[], most: number): number[] {
  const anchors: number[] = [];
  for (const word of rarestFirst) {
    if (anchors.length > 0 && anchors.length + word.length > most) break;
    for (let index = 0; index < word.length; index++) anchors.push(word.startOf(index));
  }
  return anchors.sort((a, b) => a - b);
}

/** The indexes of at most `most` occurrences: of the first ones near an anchor, then of the first others. */
function chooseNear(word: WordOccurrences, anchors: readonly number[], most: number): number[] {
  const near: number[] = [];
  const others: number[] = [];
  let next = 0;
  for (let index = 0; index < word.length && near.length < most; index++) {
    const start = word.startOf(index);
    while (next < anchors.length && (anchors[next] as number) < start - reach) next++;
    const isNear = next < anchors.length && (anchors[next] as number) <= start + reach;
    const chosen = isNear ? near : others;
    if (chosen.length < most) chosen.push(index);
  }
  return [...near, ...others.slice(0, most - near.length)];
}

/** Above the number of occurrences of all words of a query on a page, so that a start and an index fit into one key. */
const keyUnit = 2 ** 21;
let sortKeys = new Float64Array(1024);

/** Occurrences in the order of `inReadingOrder`. Keys are sorted much faster than objects. */
function readingOrder(found: readonly FoundTerm[]): FoundTerm[] {
  const { length } = found;
  if (sortKeys.length < length) sortKeys = new Float64Array(2 * length);
  const keys = sortKeys.subarray(0, length);
  for (let index = 0; index < length; index++)
    keys[index] = (found[index] as FoundTerm).start * keyUnit + index;
  keys.sort();
  const ordered: FoundTerm[] = [];
  for (let index = 0; index < length; index++) {
    const key = keys[index] as number;
    const own = found[key - Math.floor(key / keyUnit) * keyUnit] as FoundTerm;
    let to = index;
    for (; to > 0 && inReadingOrder(ordered[to - 1] as FoundTerm, own) > 0; to--)
      ordered[to] = ordered[to - 1] as FoundTerm;
    ordered[to] = own;
  }
  return ordered;
}
