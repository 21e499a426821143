import { surelyEndsAt } from '../../../../text/tokenizer.ts';
import { finish } from '../../term-bytes.ts';
import { type EntryLayout, firstEntry, freeEntry, growTable } from './hash-table.ts';
import type { TermTable } from './term-table.ts';

/** The longest word of which two numbers of 32 bits hold the characters: `base` to the power of 6 is below 2^32. */
const maxShortLength = 12;
const halfLength = maxShortLength / 2;
/** The values of 26 letters and 10 digits, from 1 on, so that words of different lengths have different numbers. */
const base = 37;

/** In `values`: the lowest bits are the value of a character in a word's number, 0 of one that no short word has. */
const valueMask = 0x3f;
const digitBit = 0x40;
const capitalShift = 7;
const values = createValues();

const width = 4;
/** The number of the second half of a word. With the first word of an entry it tells the word. */
const secondWord = 1;
/** The term's number plus one. */
const numberWord = 2;
/** For the user of the table. */
const slotWord = 3;
const layout: EntryLayout = { width, usedWord: numberWord };

/** In place of an entry: the word is none that the table takes. */
export const notShort = -1;

/**
 * The term numbers of short words of ASCII letters and digits, which are most words of a text. Such a word is a number, so
 * that a look-up compares numbers, and reads one entry; a capital at the beginning, or capitals alone, make no other word.
 */
export class ShortWords {
  private readonly table: TermTable;
  private size = 0;
  private entries = new Int32Array(width << 12);
  /** Where the last word of which `entryAt` found the entry ends. */
  end = 0;

  constructor(table: TermTable) {
    this.table = table;
  }

  /**
   * The entry of the word that begins at an offset of a text, new or not. `end` is set to where the word ends. `notShort` if
   * the word is too long, has more terms than its lower case, or does not surely end after its letters and digits.
   */
  entryAt(text: string, units: Uint16Array, start: number): number {
    const middle = start + halfLength;
    let all = 0;
    let capitals = 0;
    let first = 0;
    let second = 0;
    let end = start;
    let value = values[units[end] as number] as number;
    for (; value !== 0 && end < middle; value = values[units[++end] as number] as number) {
      all |= value;
      capitals += value >>> capitalShift;
      first = (Math.imul(first, base) + (value & valueMask)) | 0;
    }
    const last = start + maxShortLength;
    for (; value !== 0 && end < last; value = values[units[++end] as number] as number) {
      all |= value;
      capitals += value >>> capitalShift;
      second = (Math.imul(second, base) + (value & valueMask)) | 0;
    }
    // A longer word has a letter or a digit here.
    if (!surelyEndsAt(units, end)) return notShort;
    this.end = end;
    if (capitals > 0) {
      if ((all & digitBit) !== 0) return notShort;
      const isFirst = capitals === 1 && (values[units[start] as number] as number) >>> capitalShift === 1;
      if (!isFirst && capitals < end - start) return notShort;
    }
    // A bijection of `first`, so that it stands for it.
    const hash = finish(first ^ Math.imul(second, 0x9e3779b1)) | 0;
    const { entries } = this;
    const mask = entries.length - 1;
    let entry = firstEntry(entries, width, hash);
    for (; entries[entry + numberWord] !== 0; entry = (entry + width) & mask)
      if (entries[entry] === hash && entries[entry + secondWord] === second) return entry;
    return this.add(hash, second, text.slice(start, end).toLowerCase());
  }

  /** The term number of an entry. */
  numberAt(entry: number): number {
    return (this.entries[entry + numberWord] as number) - 1;
  }

  /** What `setSlot` stored with an entry; 0 at first. */
  slotAt(entry: number): number {
    return this.entries[entry + slotWord] as number;
  }

  setSlot(entry: number, slot: number): void {
    this.entries[entry + slotWord] = slot;
  }

  private add(hash: number, second: number, term: string): number {
    this.entries = growTable(this.entries, layout, ++this.size);
    const { entries } = this;
    const entry = freeEntry(entries, layout, hash);
    entries[entry] = hash;
    entries[entry + secondWord] = second;
    entries[entry + numberWord] = this.table.numberOf(term) + 1;
    return entry;
  }
}

function createValues(): Uint8Array {
  const created = new Uint8Array(0x10000);
  for (const [index, digit] of [...'0123456789'].entries())
    created[digit.charCodeAt(0)] = (1 + index) | digitBit;
  for (const [index, letter] of [...'abcdefghijklmnopqrstuvwxyz'].entries()) {
    created[letter.charCodeAt(0)] = 11 + index;
    created[letter.toUpperCase().charCodeAt(0)] = (11 + index) | (1 << capitalShift);
  }
  return created;
}
