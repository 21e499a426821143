import { growArray } from '../../../../text/grow-array.ts';
import { decodeTerm, encodeTerm, finish, firstHash, mix, mixBytes } from '../../term-bytes.ts';
import { type EntryLayout, firstEntry, freeEntry, growTable } from './hash-table.ts';

/** Ends the bytes of each term. No encoded term has this byte. */
const terminator = 0xff;

const firstCapital = 0x41;
const lastCapital = 0x5a;
const smallBit = 0x20;

/** Three words are used, but the width is a power of two. */
const width = 4;
const hashWord = 0;
/** The term's number plus one. */
const numberWord = 1;
const startWord = 2;
const layout: EntryLayout = { width, usedWord: numberWord };

/**
 * Numbers terms in the order of their first occurrence: a hash table over their bytes. It keeps no strings, and looking up
 * a term creates none.
 */
export class TermTable {
  size = 0;
  private entries = new Uint32Array(width << 12);
  /** The hashes of the terms by number. */
  hashes = new Uint32Array(1024);
  /** By number: the offset of a term's bytes in `text`. The next term begins after a terminator. */
  starts = new Uint32Array(1024);
  text = new Uint8Array(1 << 14);
  /** The lengths of the terms by number, in UTF-16 units. */
  lengths = new Uint32Array(1024);

  /** The number of a term. A new term is added. */
  numberOf(term: string): number {
    const start = this.starts[this.size] as number;
    const room = start + term.length * 3 + 1;
    if (this.text.length < room) this.text = growArray(this.text, room);
    const { text } = this;
    // The bytes are written at the end of `text`: a new term keeps them there, else the next term overwrites them.
    let hash = firstHash;
    let end = start;
    for (let offset = 0; offset < term.length; offset++) {
      const unit = term.charCodeAt(offset);
      if (unit >= 0x80) {
        end = encodeTerm(term, text, start);
        hash = mixBytes(text, start, end);
        break;
      }
      text[end++] = unit;
      hash = mix(hash, unit);
    }
    return this.find(finish(hash), end, term.length);
  }

  /** The number of the term that is a stretch of ASCII units in lower case. A new term is added. */
  numberOfAscii(units: Uint16Array, from: number, to: number): number {
    const start = this.starts[this.size] as number;
    const room = start + to - from + 1;
    if (this.text.length < room) this.text = growArray(this.text, room);
    const { text } = this;
    let hash = firstHash;
    let end = start;
    for (let offset = from; offset < to; offset++) {
      const unit = units[offset] as number;
      const lower = unit >= firstCapital && unit <= lastCapital ? unit | smallBit : unit;
      text[end++] = lower;
      hash = mix(hash, lower);
    }
    return this.find(finish(hash), end, to - from);
  }

  /** The number of the term whose bytes were written at the end of `text`, up to `end`. */
  private find(hash: number, end: number, length: number): number {
    const start = this.starts[this.size] as number;
    const { text, entries } = this;
    text[end] = terminator;
    const mask = entries.length - 1;
    for (let entry = firstEntry(entries, width, hash); ; entry = (entry + width) & mask) {
      if (entries[entry + numberWord] === 0) return this.add(hash, end, length);
      if (entries[entry + hashWord] !== hash) continue;
      let entryOffset = entries[entry + startWord] as number;
      let termOffset = start;
      while (text[termOffset] === text[entryOffset] && termOffset < end) {
        termOffset++;
        entryOffset++;
      }
      if (termOffset === end && text[entryOffset] === terminator)
        return (entries[entry + numberWord] as number) - 1;
    }
  }

  termAt(number: number): string {
    return decodeTerm(this.text, this.starts[number] as number, this.endOf(number));
  }

  endOf(number: number): number {
    return (this.starts[number + 1] as number) - 1;
  }

  private add(hash: number, end: number, length: number): number {
    const number = this.size++;
    this.entries = growTable(this.entries, layout, this.size);
    this.hashes = growArray(this.hashes, this.size);
    this.starts = growArray(this.starts, this.size + 1);
    this.lengths = growArray(this.lengths, this.size);
    this.hashes[number] = hash;
    this.lengths[number] = length;
    this.starts[this.size] = end + 1;
    const entry = freeEntry(this.entries, layout, hash);
    this.entries[entry + hashWord] = hash;
    this.entries[entry + numberWord] = number + 1;
    this.entries[entry + startWord] = this.starts[number] as number;
    return number;
  }
}
