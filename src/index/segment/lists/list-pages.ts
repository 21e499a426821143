import { largeCount as longList } from '../dictionary/counted-ranges.ts';
import type { LongRanges, Ranges } from '../dictionary/ranges.ts';
import { BitmapList, type BitmapPlace, bitmapWords, isRightBitmap, postingInBitmap } from './bitmap-list.ts';
import { DecodedPages } from './decoded-pages.ts';
import { gallop } from './gallop.ts';
import { checkedPackedEnd, PackedList, packedEnd, postingInPacked } from './packed-list.ts';
import { type PageList, ShortList } from './page-list.ts';

/** Names a posting list: the pages with a term, or those with the term in the title. */
export interface ListKey {
  readonly term: number;
  readonly inTitle: boolean;
}

/** The page numbers of all posting lists of a segment. */
export interface ListPages {
  /** A reader of a list, which decodes into `memory` what it needs. */
  open(key: ListKey, memory: DecodedPages): PageList;
  /** All pages of a list, until the next call. */
  whole(key: ListKey): PageList;
  /** The number of a page's posting in a list, among all of the segment; -1 if the page is not there. */
  postingOf(key: ListKey, page: number): number;
  /** Whether a list is within its section. In a damaged file it may not be; then none of the others may be called. */
  holds(key: ListKey): boolean;
}

/** A long list is a bitmap if it has at least an eighth of the segment's pages. */
const bitmapShare = 8;

/** Whether a long list has a bit for each page, rather than packed gaps. */
export function isBitmap(count: number, pageCount: number): boolean {
  return bitmapShare * count >= pageCount;
}

/** The lists of files of versions 1 and 2: every page takes 16 bits. */
export class PlainLists implements ListPages {
  private readonly pages: Uint16Array;
  private readonly postings: Ranges;
  private readonly titles: Ranges;

  constructor(
    pages: Uint16Array,
    { postings, titles }: { readonly postings: Ranges; readonly titles: Ranges },
  ) {
    this.pages = pages;
    this.postings = postings;
    this.titles = titles;
  }

  open({ term, inTitle }: ListKey): PageList {
    const ranges = inTitle ? this.titles : this.postings;
    const start = ranges.start(term);
    return new ShortList(this.pages, start, start + ranges.count(term));
  }

  whole(key: ListKey): PageList {
    return this.open(key);
  }

  postingOf(key: ListKey, page: number): number {
    const { pages, start, end } = this.open(key);
    const posting = postingIn(pages, start, end, page);
    // Posting and title lists stand in the order of their postings.
    return posting < 0 ? -1 : start + posting;
  }

  holds(key: ListKey): boolean {
    const { start, end } = this.open(key);
    return start >= 0 && end >= start && end <= this.pages.length;
  }
}

export interface CompactListSources {
  /** The pages of the short lists. */
  readonly postingPages: Uint16Array;
  /** For each long list, and for the end: the postings of the long lists before it, and its offset in `longPages`. */
  readonly longLists: Uint32Array;
  readonly longPages: Uint32Array;
  readonly postings: LongRanges;
  readonly titles: LongRanges;
  readonly pageCount: number;
}

/** Where a list is. */
interface ListPlace {
  /** The number of its first posting among all of the segment. */
  readonly first: number;
  /** Its range in `postingPages`, if it is short. */
  readonly start: number;
  readonly end: number;
  readonly long: BitmapPlace | undefined;
}

const maxPlaces = 1000;

/** The lists of files from version 3 on. */
export class CompactLists implements ListPages {
  private readonly sources: CompactListSources;
  private readonly memory = new DecodedPages();
  private readonly places = new Map<number, ListPlace>();

  constructor(sources: CompactListSources) {
    this.sources = sources;
  }

  open(key: ListKey, memory: DecodedPages): PageList {
    return this.openAt(this.placeOf(key), memory);
  }

  /** Does not remember where the list is: merging goes through millions. */
  whole(key: ListKey): PageList {
    this.memory.clear();
    const list = this.openAt(this.find(key), this.memory);
    list.load(list.start, list.end);
    return list;
  }

  postingOf(key: ListKey, page: number): number {
    const { first, start, end, long } = this.placeOf(key);
    const posting = long ? postingInLong(long, page) : postingIn(this.sources.postingPages, start, end, page);
    return posting < 0 ? -1 : first + posting;
  }

  holds(key: ListKey): boolean {
    const { start, end, long } = this.placeOf(key);
    if (!long) return start >= 0 && end <= this.sources.postingPages.length;
    const { words, offset, count, pageCount } = long;
    if (!(count <= pageCount)) return false;
    const longEnd = isBitmap(count, pageCount) ? offset + bitmapWords(pageCount) : packedEnd(long);
    return longEnd <= words.length;
  }

  private openAt({ start, end, long }: ListPlace, memory: DecodedPages): PageList {
    if (!long) return new ShortList(this.sources.postingPages, start, end);
    return isBitmap(long.count, long.pageCount) ? new BitmapList(long, memory) : new PackedList(long, memory);
  }

  /** `find`, cached: a search asks for each of its lists on many pages. */
  private placeOf(key: ListKey): ListPlace {
    const number = 2 * key.term + (key.inTitle ? 1 : 0);
    const known = this.places.get(number);
    if (known) return known;
    if (this.places.size >= maxPlaces) this.places.clear();
    const place = this.find(key);
    this.places.set(number, place);
    return place;
  }

  private find({ term, inTitle }: ListKey): ListPlace {
    const { postings, titles, longLists, longPages: words, pageCount } = this.sources;
    const ranges = inTitle ? titles : postings;
    const first = ranges.start(term);
    const count = ranges.count(term);
    const number = 2 * (inTitle ? postings.longCount + titles.longBefore(term) : postings.longBefore(term));
    const start = first - (longLists[number] as number);
    if (count < longList) return { first, start, end: start + count, long: undefined };
    const offset = longLists[number + 1] as number;
    return { first, start: 0, end: 0, long: { words, offset, count, pageCount } };
  }
}

/**
 * Whether long lists with these counts have the places that they must have, and fill their section; goes through the
 * beginnings of their blocks, and through bitmaps.
 */
export function areLongLists(
  counts: readonly number[],
  { longLists, longPages: words }: Pick<CompactListSources, 'longLists' | 'longPages'>,
  pageCount: number,
): boolean {
  let offset = 0;
  let postings = 0;
  for (const [number, count] of counts.entries()) {
    if (longLists[2 * number] !== postings || longLists[2 * number + 1] !== offset) return false;
    if (count < longList || count > pageCount) return false;
    const place = { words, offset, count, pageCount };
    if (isBitmap(count, pageCount)) {
      offset += bitmapWords(pageCount);
      if (offset > words.length || !isRightBitmap(place)) return false;
    } else {
      offset = checkedPackedEnd(place);
      if (offset < 0 || offset > words.length) return false;
    }
    postings += count;
  }
  const end = 2 * counts.length;
  return longLists[end] === postings && longLists[end + 1] === offset && offset === words.length;
}

function postingIn(pages: Uint16Array, start: number, end: number, page: number): number {
  const index = gallop(pages, start, end, page);
  return index < end && pages[index] === page ? index - start : -1;
}

function postingInLong(place: BitmapPlace, page: number): number {
  return isBitmap(place.count, place.pageCount) ? postingInBitmap(place, page) : postingInPacked(place, page);
}
