import { growArray } from '../../../../text/grow-array.ts';
import type { Stretch } from '../../../../text/passages/sentences.ts';
import { finish, firstHash, mix } from '../../term-bytes.ts';
import { type EntryLayout, firstEntry, freeEntry, growTable } from './hash-table.ts';

const width = 4;
const hashWord = 0;
/** The offset of the word in `units`. */
const startWord = 1;
const lengthWord = 2;
/** The result of `find`. */
const termsWord = 3;
const layout: EntryLayout = { width, usedWord: termsWord };

/** Items of a term in `lists`: its number, its start, its end. */
export const termWords = 3;

/**
 * A cache of the term numbers of all words so far: a hash table over their UTF-16 units (`unitsOf`). A word that is in it
 * is counted without creating a string and without being split again. The units are in the order of the first
 * occurrences, so that those of frequent words are close together.
 */
export class ChunkMemo {
  private size = 0;
  private entries = new Int32Array(width << 12);
  private units = new Uint16Array(1 << 14);
  private unitsEnd = 0;
  /** For words that are not one term as a whole: the number of terms, then `termWords` items for each of them. */
  lists = new Uint32Array(1024);
  private listsEnd = 0;
  /** Number of terms in the list that has not ended. */
  private pushed = 0;

  /**
   * The terms of a word of a text: above 0 the number of the term that it is as a whole plus 1, below 0 the complement of
   * the index of its list in `lists`, 0 if the word is new.
   */
  find(text: Uint16Array, start: number, end: number): number {
    const { entries, units } = this;
    const hash = hashUnits(text, start, end);
    const length = end - start;
    const mask = entries.length - 1;
    for (let entry = firstEntry(entries, width, hash); ; entry = (entry + width) & mask) {
      const terms = entries[entry + termsWord] as number;
      if (terms === 0) return 0;
      if (entries[entry + hashWord] !== hash || entries[entry + lengthWord] !== length) continue;
      const first = entries[entry + startWord] as number;
      let index = 0;
      while (index < length && text[start + index] === units[first + index]) index++;
      if (index === length) return terms;
    }
  }

  /** Adds a term to the list of the word that `add` adds next, with its offsets in the word. */
  push(term: number, start: number, end: number): void {
    const index = this.listsEnd + 1 + termWords * this.pushed++;
    this.lists = growArray(this.lists, index + termWords);
    const { lists } = this;
    lists[index] = term;
    lists[index + 1] = start;
    lists[index + 2] = end;
  }

  /** Adds a word that `find` did not have, with the terms that were pushed; returns the result of `find` from now on. */
  add(text: Uint16Array, { start, end }: Stretch): number {
    this.entries = growTable(this.entries, layout, ++this.size);
    const hash = hashUnits(text, start, end);
    const { entries } = this;
    const entry = freeEntry(entries, layout, hash);
    const value = this.endList(end - start);
    entries[entry + hashWord] = hash;
    entries[entry + startWord] = this.addUnits(text, start, end);
    entries[entry + lengthWord] = end - start;
    entries[entry + termsWord] = value;
    return value;
  }

  /** Ends the list of a word of this length. One term that is the whole word needs no list. */
  private endList(length: number): number {
    const { lists, listsEnd: list, pushed } = this;
    this.pushed = 0;
    if (pushed === 1 && lists[list + 2] === 0 && lists[list + 3] === length)
      return (lists[list + 1] as number) + 1;
    this.listsEnd += 1 + termWords * pushed;
    this.lists = growArray(lists, this.listsEnd);
    this.lists[list] = pushed;
    return ~list;
  }

  private addUnits(text: Uint16Array, start: number, end: number): number {
    const address = this.unitsEnd;
    this.unitsEnd += end - start;
    this.units = growArray(this.units, this.unitsEnd);
    const { units } = this;
    for (let from = start, to = address; from < end; ) units[to++] = text[from++] as number;
    return address;
  }
}

/** Signed, as in the table. */
function hashUnits(text: Uint16Array, start: number, end: number): number {
  let hash = firstHash;
  for (let index = start; index < end; index++) hash = mix(hash, text[index] as number);
  return finish(hash) | 0;
}
