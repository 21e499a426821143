import { withRoom } from './room.ts';
import { finish, firstHash, mix } from './term-bytes.ts';

/** What is kept of a chunk, side by side. */
const words = 4;
const hashWord = 0;
const startWord = 1;
const lengthWord = 2;
/** The number of the only term, or where in `lists` all are, with `isList` set. */
const termsWord = 3;

const recentMask = 8191;

/** A bit that no term number has: there are fewer. */
const isList = 0x8000_0000;

/**
 * Remembers the term numbers of every word that a text was ever cut into, by open addressing over its UTF-16 units (`unitsOf`):
 * a word that was seen before is counted without a string for it and without being analysed again. What is kept of
 * the words stands in the order in which they came, so that what is frequent is close together.
 */
export class ChunkMemo {
  private size = 0;
  /** By hash, a chunk's number plus one; 0 where there is none. */
  private places = new Uint32Array(1 << 12);
  /** By some bits of the hash, the number plus one of the chunk that was last found: small enough to stay in cache. */
  private readonly recent = new Uint32Array(recentMask + 1);
  private chunks = new Uint32Array(words << 11);
  private units = new Uint16Array(1 << 14);
  private unitsEnd = 0;
  lists = new Uint32Array(1024);
  private listsEnd = 0;

  /** The number of a part of a text; -1 when it is new. */
  find(text: Uint16Array, start: number, end: number): number {
    const { places, recent } = this;
    const hash = hashUnits(text, start, end);
    const likely = (recent[hash & recentMask] as number) - 1;
    if (likely !== -1 && this.isChunk(likely, hash, text, start, end)) return likely;
    const mask = places.length - 1;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const chunk = (places[at] as number) - 1;
      if (chunk === -1) return -1;
      if (!this.isChunk(chunk, hash, text, start, end)) continue;
      recent[hash & recentMask] = chunk + 1;
      return chunk;
    }
  }

  /** Remembers the term numbers of a part of a text that `find` did not know; returns the part's number. */
  add(text: Uint16Array, start: number, end: number, terms: readonly number[]): number {
    const chunk = this.size++;
    const record = words * chunk;
    const hash = hashUnits(text, start, end);
    this.chunks = withRoom(this.chunks, record + words);
    this.chunks[record + hashWord] = hash;
    this.chunks[record + startWord] = this.unitsEnd;
    this.chunks[record + lengthWord] = end - start;
    this.chunks[record + termsWord] = terms.length === 1 ? (terms[0] as number) : this.addList(terms);
    this.addUnits(text, start, end);
    if (this.size * 2 > this.places.length) this.grow();
    else this.place(chunk, hash);
    return chunk;
  }

  /** The one term number of a chunk; -1 when it has none or several. */
  onlyTerm(chunk: number): number {
    const terms = this.chunks[words * chunk + termsWord] as number;
    return terms >= isList ? -1 : terms;
  }

  /** Where in `lists` the numbers of a chunk that has none or several are: how many there are, then the numbers. */
  listOf(chunk: number): number {
    return (this.chunks[words * chunk + termsWord] as number) - isList;
  }

  private isChunk(chunk: number, hash: number, text: Uint16Array, start: number, end: number): boolean {
    const { chunks, units } = this;
    const record = words * chunk;
    if (chunks[record + hashWord] !== hash || chunks[record + lengthWord] !== end - start) return false;
    let unit = chunks[record + startWord] as number;
    let place = start;
    while (place < end && text[place] === units[unit]) {
      place++;
      unit++;
    }
    return place === end;
  }

  private addList(terms: readonly number[]): number {
    const list = this.listsEnd;
    this.listsEnd += 1 + terms.length;
    this.lists = withRoom(this.lists, this.listsEnd);
    this.lists[list] = terms.length;
    this.lists.set(terms, list + 1);
    return list + isList;
  }

  private addUnits(text: Uint16Array, start: number, end: number): void {
    this.units = withRoom(this.units, this.unitsEnd + end - start);
    this.units.set(text.subarray(start, end), this.unitsEnd);
    this.unitsEnd += end - start;
  }

  private place(chunk: number, hash: number): void {
    const mask = this.places.length - 1;
    let at = hash & mask;
    while (this.places[at] !== 0) at = (at + 1) & mask;
    this.places[at] = chunk + 1;
  }

  /** Doubles the table, which is never more than half full. */
  private grow(): void {
    this.places = new Uint32Array(this.places.length * 2);
    for (let chunk = 0; chunk < this.size; chunk++)
      this.place(chunk, this.chunks[words * chunk + hashWord] as number);
  }
}

function hashUnits(text: Uint16Array, start: number, end: number): number {
  let hash = firstHash;
  for (let place = start; place < end; place++) hash = mix(hash, text[place] as number);
  return finish(hash);
}
