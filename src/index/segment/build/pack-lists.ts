import { growArray } from '../../../text/grow-array.ts';
import { bitCount } from '../dictionary/bit-count.ts';
import { largeCount as longList } from '../dictionary/counted-ranges.ts';
import type { ListSections, LongSections } from '../format.ts';
import { bitmapWords, groupPages, groupsOf } from '../lists/bitmap-list.ts';
import { isBitmap } from '../lists/list-pages.ts';
import { blockPostings, lanes } from '../lists/packed-block.ts';
import { packedQuads } from '../lists/packed-list.ts';

/** Lists of pages one after the other, and where each begins and the last one ends. */
export interface PlainPages {
  readonly pages: Uint16Array;
  readonly offsets: Uint32Array;
}

/** The page numbers of all lists as a file has them: short lists as they are, long ones packed or as bitmaps. */
export function packLists(
  kinds: readonly PlainPages[],
  pageCount: number,
): LongSections & Pick<ListSections, 'postingPages'> {
  const writer = new LongListWriter(pageCount);
  const short = new Uint16Array(kinds.reduce((sum, { pages }) => sum + pages.length, 0));
  let shortEnd = 0;
  for (const { pages, offsets } of kinds) {
    let firstShort = offsets[0] as number;
    for (let list = 0; list + 1 < offsets.length; list++) {
      const [start, end] = [offsets[list] as number, offsets[list + 1] as number];
      if (end - start < longList) continue;
      short.set(pages.subarray(firstShort, start), shortEnd);
      shortEnd += start - firstShort;
      firstShort = end;
      writer.add(pages.subarray(start, end));
    }
    const last = offsets[offsets.length - 1] as number;
    short.set(pages.subarray(firstShort, last), shortEnd);
    shortEnd += last - firstShort;
  }
  return { postingPages: short.subarray(0, shortEnd), ...writer.finish() };
}

class LongListWriter {
  private readonly pageCount: number;
  private words = new Uint32Array(1024);
  private end = 0;
  private postings = 0;
  private readonly table: number[] = [];

  constructor(pageCount: number) {
    this.pageCount = pageCount;
  }

  add(pages: Uint16Array): void {
    const { pageCount } = this;
    this.table.push(this.postings, this.end);
    this.postings += pages.length;
    if (isBitmap(pages.length, pageCount)) this.addBitmap(pages);
    else this.addPacked(pages);
  }

  finish(): LongSections {
    const longLists = Uint32Array.from([...this.table, this.postings, this.end]);
    return { longLists, longPages: this.words.subarray(0, this.end) };
  }

  private reserve(words: number): void {
    this.words = growArray(this.words, this.end + words);
  }

  private addBitmap(pages: Uint16Array): void {
    const size = bitmapWords(this.pageCount);
    const groups = groupsOf(this.pageCount);
    this.reserve(size);
    const ranks = this.words.subarray(this.end, this.end + groups);
    const bits = this.words.subarray(this.end + groups, this.end + size);
    for (const page of pages) bits[page >>> 5] = (bits[page >>> 5] as number) | (1 << (page & 31));
    let rank = 0;
    for (let word = 0; word < bits.length; word++) {
      if (word % (groupPages / 32) === 0) ranks[(32 * word) / groupPages] = rank;
      rank += bitCount(bits[word] as number);
    }
    this.end += size;
  }

  private addPacked(pages: Uint16Array): void {
    const blocks = Math.ceil(pages.length / blockPostings);
    const offset = this.end;
    this.reserve(blocks + 1);
    this.end += blocks + 1;
    let quads = 0;
    let width = 0;
    for (let block = 0; block < blocks; block++) {
      const start = block * blockPostings;
      const end = Math.min(start + blockPostings, pages.length);
      width = gapBits(pages, start, end);
      const size = packedQuads(end - start, width);
      this.reserve(lanes * size);
      this.words[offset + block] = (quads << 16) | (pages[start] as number);
      this.addBlock(pages, start, end, width);
      quads += size;
      this.end += lanes * size;
    }
    this.words[offset + blocks] = (quads << 16) | width;
  }

  /** Gap by gap from lane to lane, each lane from the lowest bit of its first word up. The first gap is 0. */
  private addBlock(pages: Uint16Array, start: number, end: number, width: number): void {
    const { words } = this;
    for (let index = start + 1; index < end; index++) {
      const gap = (pages[index] as number) - (pages[index - 1] as number) - 1;
      const lane = (index - start) % lanes;
      const bit = ((index - start - lane) / lanes) * width;
      const word = this.end + lanes * (bit >>> 5) + lane;
      const shift = bit & 31;
      words[word] = (words[word] as number) | (gap << shift);
      if (shift + width <= 32) continue;
      words[word + lanes] = (words[word + lanes] as number) | (gap >>> (32 - shift));
    }
  }
}

/** The bits of the largest gap of a block. */
function gapBits(pages: Uint16Array, start: number, end: number): number {
  let gaps = 0;
  for (let index = start + 1; index < end; index++)
    gaps |= (pages[index] as number) - (pages[index - 1] as number) - 1;
  return 32 - Math.clz32(gaps);
}
