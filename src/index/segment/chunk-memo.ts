import { withRoom } from './room.ts';
import { finish, firstHash, mix } from './term-bytes.ts';

/** What an entry of the table is made of, side by side in room for four, so that a look-up touches one line of cache. */
const words = 4;
/** Three words are the key; the fourth is what `find` gives, 0 in a free entry. */
const termsWord = 3;

/** A part that is no longer, and ASCII, is its own key, four characters a word. */
const longestOwnKey = 12;
/**
 * Set in the first word of the key of any other part, which is its hash; no four characters have this bit. The second
 * word is where the part begins in `units`, the third its length.
 */
const isHash = 1 << 31;

/**
 * Remembers the term numbers of every word that a text was ever cut into, by open addressing over its UTF-16 units
 * (`unitsOf`): a word that was seen before is counted without a string for it and without being analysed again.
 */
export class ChunkMemo {
  private size = 0;
  private entries = new Int32Array(words << 12);
  /** Of the part that is looked for; the second word is 0 where the first is a hash. */
  private readonly key = new Int32Array(3);
  private units = new Uint16Array(1 << 14);
  private unitsEnd = 0;
  /** Of parts with no term or several: how many there are, then their numbers. */
  lists = new Uint32Array(1024);
  private listsEnd = 0;

  /**
   * The terms of a part of a text: the number of its only one plus 1; below 0 the complement of the place in `lists`
   * where they are; 0 when the part is new.
   */
  find(text: Uint16Array, start: number, end: number): number {
    this.setKey(text, start, end);
    return this.entries[this.entryOf(text, start) + termsWord] as number;
  }

  /** Remembers the term numbers of a part that `find` did not know; returns what `find` will give. */
  add(text: Uint16Array, start: number, end: number, terms: readonly number[]): number {
    if (++this.size * 2 * words > this.entries.length) this.grow();
    const found = terms.length === 1 ? (terms[0] as number) + 1 : ~this.addList(terms);
    this.setKey(text, start, end);
    const entry = this.entryOf(text, start);
    this.entries.set(this.key, entry);
    this.entries[entry + termsWord] = found;
    if ((this.key[0] as number) < 0) this.entries[entry + 1] = this.addUnits(text, start, end);
    return found;
  }

  private setKey(text: Uint16Array, start: number, end: number): void {
    const { key } = this;
    key.fill(0);
    let seen = 0;
    if (end - start <= longestOwnKey) {
      let place = start;
      for (let word = 0; place < end; word++) {
        let characters = 0;
        for (const last = Math.min(end, place + 4); place < last; place++) {
          const unit = text[place] as number;
          seen |= unit;
          characters = (characters << 8) | unit;
        }
        key[word] = characters;
      }
      if (seen < 0x80) return;
    }
    let hash = firstHash;
    for (let place = start; place < end; place++) hash = mix(hash, text[place] as number);
    key[0] = finish(hash) | isHash;
    key[1] = 0;
    key[2] = end - start;
  }

  /** Where the part with this key is, or the free entry where it belongs. */
  private entryOf(text: Uint16Array, start: number): number {
    const { entries, key } = this;
    const first = key[0] as number;
    const second = key[1] as number;
    const third = key[2] as number;
    const mask = entries.length - 1;
    let entry = (hashKey(first, second, third) * words) & mask;
    while (entries[entry + termsWord] !== 0) {
      if (
        entries[entry] === first &&
        entries[entry + 2] === third &&
        (first < 0
          ? this.hasUnits(entries[entry + 1] as number, text, start, third)
          : entries[entry + 1] === second)
      )
        break;
      entry = (entry + words) & mask;
    }
    return entry;
  }

  private hasUnits(place: number, text: Uint16Array, start: number, length: number): boolean {
    const { units } = this;
    for (let at = 0; at < length; at++) {
      if (text[start + at] !== units[place + at]) return false;
    }
    return true;
  }

  private addList(terms: readonly number[]): number {
    const list = this.listsEnd;
    this.listsEnd += 1 + terms.length;
    this.lists = withRoom(this.lists, this.listsEnd);
    this.lists[list] = terms.length;
    this.lists.set(terms, list + 1);
    return list;
  }

  private addUnits(text: Uint16Array, start: number, end: number): number {
    const place = this.unitsEnd;
    this.unitsEnd += end - start;
    this.units = withRoom(this.units, this.unitsEnd);
    this.units.set(text.subarray(start, end), place);
    return place;
  }

  /** Doubles the table, which is never more than half full. */
  private grow(): void {
    const old = this.entries;
    this.entries = new Int32Array(old.length * 2);
    const mask = this.entries.length - 1;
    for (let at = 0; at < old.length; at += words) {
      if (old[at + termsWord] === 0) continue;
      const first = old[at] as number;
      const second = first < 0 ? 0 : (old[at + 1] as number);
      let entry = (hashKey(first, second, old[at + 2] as number) * words) & mask;
      while (this.entries[entry + termsWord] !== 0) entry = (entry + words) & mask;
      for (let word = 0; word < words; word++) this.entries[entry + word] = old[at + word] as number;
    }
  }
}

function hashKey(first: number, second: number, third: number): number {
  const mixed = Math.imul(first ^ (second >>> 15), 0x9e3779b1) ^ Math.imul(second, 0x85ebca77);
  return finish(Math.imul(mixed ^ (mixed >>> 13), 0x27d4eb2f) ^ Math.imul(third, 0xc2b2ae3d));
}
