import { growArray } from '../grow-array.ts';
import { type FoundTerm, readsBefore } from './find-terms.ts';
import { Occurrences } from './occurrences.ts';

/** Words of one subject stand within this distance, in UTF-16 units: about two sentences. */
const reach = 200;

export interface ChoiceLimits {
  /** Maximum for each word. All forms that share a `word` count together. */
  readonly perWord: number;
  /** Maximum for all words together. Each word gets an even share. */
  readonly terms: number;
}

/** The occurrences of one word: a range of a list, in reading order. It is not empty. */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}

/** Occurrences word by word. */
export interface GroupedOccurrences {
  readonly list: Occurrences;
  readonly words: readonly WordRange[];
}

/**
 * Chooses occurrences of words in a text, so that no limit is exceeded. Of a word with too many, those near the rarest words
 * come first: the line that defines `SQLITE_USE_URI` stands far behind the fiftieth `sqlite` of a long page. Fills `into` with
 * them, in reading order.
 */
export function chooseOccurrences(
  { list, words }: GroupedOccurrences,
  { perWord, terms }: ChoiceLimits,
  into: Occurrences,
): void {
  into.clear();
  const most = Math.min(perWord, Math.max(1, Math.floor(terms / Math.max(1, words.length))));
  const isAll = words.length <= terms && words.every((word) => lengthOf(word) <= most);
  picks.clear();
  if (isAll) {
    for (const word of words) picks.take(word);
    picks.merge(list, into);
    return;
  }
  const rarestFirst = words.toSorted((one, other) => byRarity(list, one, other));
  let anchors: number[] | undefined;
  for (const word of rarestFirst.slice(0, terms)) {
    if (lengthOf(word) <= most) picks.take(word);
    // Each occurrence of the rarest word is an anchor.
    else if (word === rarestFirst[0]) picks.take({ from: word.from, to: word.from + most });
    else {
      anchors ??= anchorsOf(list, rarestFirst, most);
      picks.takeNear(list, word, anchors, most);
    }
  }
  picks.merge(list, into);
}

/** The occurrences of each word, in the order in which words appear. */
export function groupByWord(found: readonly FoundTerm[]): GroupedOccurrences {
  const byWord = new Map<number, FoundTerm[]>();
  for (const token of found) {
    const own = byWord.get(token.number);
    if (own) own.push(token);
    else byWord.set(token.number, [token]);
  }
  const list = new Occurrences();
  const words: WordRange[] = [];
  for (const own of byWord.values()) {
    const from = list.length;
    for (const token of own) list.add(token.start, token.end, token);
    words.push({ from, to: list.length });
  }
  return { list, words };
}

function lengthOf({ from, to }: WordRange): number {
  return to - from;
}

function byRarity(list: Occurrences, one: WordRange, other: WordRange): number {
  if (lengthOf(one) !== lengthOf(other)) return lengthOf(one) - lengthOf(other);
  return list.formOf(one.from).word < list.formOf(other.from).word ? -1 : 1;
}

/** The offsets of the rarest words: as many words as have at most `most` occurrences together, and at least one. */
function anchorsOf(list: Occurrences, rarestFirst: readonly WordRange[], most: number): number[] {
  const anchors: number[] = [];
  for (const word of rarestFirst) {
    if (anchors.length > 0 && anchors.length + lengthOf(word) > most) break;
    for (let index = word.from; index < word.to; index++) anchors.push(list.startOf(index));
  }
  // Of one word they are in order.
  return anchors.length === lengthOf(rarestFirst[0] as WordRange) ? anchors : anchors.sort((a, b) => a - b);
}

/** What was chosen of each word, as indexes in a list. One object serves all choices, which are made one after the other. */
class Picks {
  /** The indexes, ascending for each word. */
  private indexes = new Uint32Array(1024);
  private end = 0;
  /** For each word, where its next index is that is not merged yet, and where its indexes end. */
  private readonly next: number[] = [];
  private readonly ends: number[] = [];
  private words = 0;
  private isNear = new Uint8Array(1024);

  clear(): void {
    this.end = 0;
    this.words = 0;
  }

  take({ from, to }: WordRange): void {
    this.begin(to - from);
    for (let index = from; index < to; index++) this.indexes[this.end++] = index;
    this.ends[this.words - 1] = this.end;
  }

  /** At most `most` occurrences of a word: the first ones near an anchor, then the first others. */
  takeNear(list: Occurrences, { from, to }: WordRange, anchors: readonly number[], most: number): void {
    this.begin(most);
    if (this.isNear.length < to - from) this.isNear = growArray(this.isNear, to - from);
    const { isNear } = this;
    isNear.fill(0, 0, to - from);
    let near = 0;
    let anchor = 0;
    for (let index = from; index < to && near < most; index++) {
      const start = list.startOf(index);
      while (anchor < anchors.length && (anchors[anchor] as number) < start - reach) anchor++;
      if (anchor === anchors.length || (anchors[anchor] as number) > start + reach) continue;
      isNear[index - from] = 1;
      near++;
    }
    let others = most - near;
    for (let index = from; index < to; index++) {
      if (isNear[index - from] === 0 && others-- <= 0) continue;
      this.indexes[this.end++] = index;
    }
    this.ends[this.words - 1] = this.end;
  }

  /** Adds what was chosen of all words, in reading order. */
  merge(list: Occurrences, into: Occurrences): void {
    const { indexes, next, ends, words } = this;
    if (words === 1) {
      for (let at = next[0] as number; at < this.end; at++) into.addFrom(list, indexes[at] as number);
      return;
    }
    for (let count = this.end; count > 0; count--) {
      let first = -1;
      let firstIndex = 0;
      for (let word = 0; word < words; word++) {
        const at = next[word] as number;
        if (at === ends[word]) continue;
        const index = indexes[at] as number;
        if (first >= 0 && !readsBefore(list, index, firstIndex)) continue;
        first = word;
        firstIndex = index;
      }
      next[first] = (next[first] as number) + 1;
      into.addFrom(list, firstIndex);
    }
  }

  private begin(count: number): void {
    if (this.indexes.length < this.end + count) this.indexes = growArray(this.indexes, this.end + count);
    this.next[this.words++] = this.end;
  }
}

const picks = new Picks();
