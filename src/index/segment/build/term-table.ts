import { growArray } from '../grow-array.ts';
import { decodeTerm, encodeTerm, finish, firstHash, mix, mixBytes } from '../term-bytes.ts';

/** Ends the bytes of each term; no encoded term holds it. */
const terminator = 0xff;

/** What an entry of the table is made of, side by side in room for four, so that a look-up touches one line of cache. */
const words = 4;
const hashWord = 0;
/** The term's number plus one; 0 marks a free entry. */
const numberWord = 1;
const startWord = 2;

/**
 * Numbers terms in the order in which they come, by open addressing over their bytes: no string stays, and a term
 * that is known is found without making one.
 */
export class TermTable {
  size = 0;
  private entries = new Uint32Array(words << 12);
  /** By number. */
  hashes = new Uint32Array(1024);
  /** By number, where a term's bytes begin in `text`; the next one's begin after a terminator. */
  starts = new Uint32Array(1024);
  text = new Uint8Array(1 << 14);

  /** The number of a term, which is added when it is new. */
  numberOf(term: string): number {
    const start = this.starts[this.size] as number;
    const room = start + term.length * 3 + 1;
    if (this.text.length < room) this.text = growArray(this.text, room);
    const { text, entries } = this;
    // A new term's bytes are then where they belong; those of a known one are written over by the next.
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
    hash = finish(hash);
    text[end] = terminator;
    const mask = entries.length - 1;
    for (let entry = (hash << 2) & mask; ; entry = (entry + words) & mask) {
      if (entries[entry + numberWord] === 0) return this.add(hash, end);
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

  private add(hash: number, end: number): number {
    const number = this.size++;
    if (this.size * 2 * words > this.entries.length) this.grow();
    this.hashes = growArray(this.hashes, this.size);
    this.starts = growArray(this.starts, this.size + 1);
    this.hashes[number] = hash;
    this.starts[this.size] = end + 1;
    const entry = freeEntry(this.entries, hash);
    this.entries[entry + hashWord] = hash;
    this.entries[entry + numberWord] = number + 1;
    this.entries[entry + startWord] = this.starts[number] as number;
    return number;
  }

  /** Doubles the table, which is never more than half full. */
  private grow(): void {
    const old = this.entries;
    this.entries = new Uint32Array(old.length * 2);
    for (let index = 0; index < old.length; index += words) {
      if (old[index + numberWord] === 0) continue;
      const entry = freeEntry(this.entries, old[index + hashWord] as number);
      for (let word = 0; word < words; word++) this.entries[entry + word] = old[index + word] as number;
    }
  }
}

function freeEntry(entries: Uint32Array, hash: number): number {
  const mask = entries.length - 1;
  let entry = (hash << 2) & mask;
  while (entries[entry + numberWord] !== 0) entry = (entry + words) & mask;
  return entry;
}
