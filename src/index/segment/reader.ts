import { pageIdFromBytes } from '../../store/page/page-id.ts';
import type { PerField } from '../bm25f.ts';
import { copyFlag, privateFlag } from './columns.ts';
import { compactDictionary, type Dictionary, findTerm, plainDictionary } from './dictionary/dictionary.ts';
import { maxPages, readSections, type Sections } from './format.ts';
import { CompactLists, type ListPages, PlainLists } from './lists/list-pages.ts';
import { createMarkSource } from './marks/mark-source.ts';
import { SegmentMarks } from './marks/segment-marks.ts';
import { hasPage, type PageSet } from './page-set.ts';
import { wrongItems, wrongLengths } from './section-checks.ts';
import { stringsOf } from './string-table.ts';
import type { HitSource } from './top-k.ts';

const maxCachedTerms = 1000;
/** Minimum postings of a term for a table of its impacts, which takes a byte for each page number. */
const tableThreshold = 8192;
const maxCachedTables = 128;

/** One packed segment: views over the bytes of its file. Pages are numbered in the order of their ids. */
export interface Segment extends HitSource, Omit<Sections, 'averageLengths' | 'terms' | 'postingPages'> {
  readonly pageCount: number;
  readonly dictionary: Dictionary;
  readonly lists: ListPages;
  /** The averages that the impacts were computed with. */
  readonly averageLengths: PerField;
  /** The language codes by their numbers in `langs`. */
  readonly langCodes: readonly string[];
  /** Whether any page is a copy of another host's page. Looked up at the first call. */
  holdsCopies(): boolean;
  /** Whether any page was read with credentials. Looked up at the first call. */
  holdsPrivatePages(): boolean;
  /** The number of a term; -1 if the segment does not have it. */
  termNumber(term: string): number;
  /** The impacts of a frequent term by page number, 0 for pages without it. Undefined for other terms. */
  impactsByPage(term: number): Uint8Array | undefined;
}

export type OpenedSegment =
  | { readonly kind: 'segment'; readonly segment: Segment }
  | { readonly kind: 'damaged'; readonly why: string };

/**
 * Reads a segment file without copying it. A torn, foreign or hostile file is `damaged`; nothing is thrown. Checksums,
 * bounds and offsets are checked. Without `checksBytes`, only the lengths of the sections that grow with the file are, so
 * that opening a mapped file does not read it. The order of the page numbers in posting lists is never checked: a forged
 * file with right checksums can cause wrong results, but nothing worse.
 */
export function openSegment(bytes: ArrayBufferLike, checksBytes = true): OpenedSegment {
  const sections = readSections(bytes, checksBytes);
  if (typeof sections === 'string') return { kind: 'damaged', why: sections };
  const why = wrongLengths(sections) ?? (checksBytes ? wrongItems(sections) : undefined);
  if (why !== undefined) return { kind: 'damaged', why };
  const { pageIds, averageLengths, langOffsets: offsets, langText: text, marks } = sections;
  const langCodes = stringsOf({ offsets, text });
  const { terms: _, postingPages: __, ...columns } = sections;
  const { dictionary, lists } = termsOf(sections);
  const termNumber = cacheTermNumbers(dictionary, lists, sections);
  const source = marks && createMarkSource({ sections, lists, marks, langCodes, termNumber });
  const segment: Segment = {
    ...columns,
    pageCount: sections.crawlTimes.length,
    dictionary,
    lists,
    averageLengths: Array.from(averageLengths) as unknown as PerField,
    langCodes,
    holdsCopies: lookForFlag(sections, copyFlag),
    holdsPrivatePages: lookForFlag(sections, privateFlag),
    termNumber,
    impactsByPage: cacheImpactTables(dictionary, lists, sections),
    idOf: (page) => pageIdFromBytes(pageIds, page * 16),
    marksOf: (page) => source && new SegmentMarks(source, page),
  };
  return { kind: 'segment', segment };
}

function termsOf(sections: Sections): { readonly dictionary: Dictionary; readonly lists: ListPages } {
  const { terms, postingPages, crawlTimes } = sections;
  if (terms.kind === 'plain') {
    const plain = plainDictionary(terms);
    return { dictionary: plain, lists: new PlainLists(postingPages, plain) };
  }
  const dictionary = compactDictionary(terms, sections);
  const { postings, titles } = dictionary;
  const { longLists, longPages } = terms;
  const pageCount = crawlTimes.length;
  const lists = new CompactLists({ postingPages, longLists, longPages, postings, titles, pageCount });
  return { dictionary, lists };
}

/**
 * `findTerm`, cached: a search looks up each of its terms several times, and the next search many of them again. In a file
 * that was opened unchecked and is damaged, a term whose lists are not within their sections is as good as none.
 */
function cacheTermNumbers(
  dictionary: Dictionary,
  lists: ListPages,
  { impacts }: Sections,
): (term: string) => number {
  const cache = new Map<string, number>();
  const { postings, titles } = dictionary;
  const hasLists = (term: number): boolean => {
    // NaN, which a damaged file may give, fails every comparison.
    const first = postings.start(term);
    if (!(first >= 0 && first + postings.count(term) <= impacts.length)) return false;
    return (
      lists.holds({ term, inTitle: false }) &&
      (titles.count(term) === 0 || lists.holds({ term, inTitle: true }))
    );
  };
  return (term) => {
    const cachedNumber = cache.get(term);
    if (cachedNumber !== undefined) return cachedNumber;
    const found = findTerm(dictionary, term);
    const number = found >= 0 && hasLists(found) ? found : -1;
    if (cache.size >= maxCachedTerms) cache.clear();
    cache.set(term, number);
    return number;
  };
}

/** Not when a segment is opened, which would read this column of a mapped file. */
function lookForFlag({ fileTypes: types }: Sections, flag: number): () => boolean {
  let found: boolean | undefined;
  return () => {
    found ??= holdsFlag(types, flag);
    return found;
  };
}

/** A loop, because the first search looks at this column of all pages before any code is optimized. */
function holdsFlag(types: Uint8Array, flag: number): boolean {
  for (let page = 0; page < types.length; page++) if (((types[page] as number) & flag) !== 0) return true;
  return false;
}

/** Tables of the impacts of frequent terms, cached: the most frequent terms are in most queries. */
function cacheImpactTables(
  { postings }: Dictionary,
  lists: ListPages,
  { impacts }: Sections,
): (term: number) => Uint8Array | undefined {
  const cache = new Map<number, Uint8Array>();
  return (term) => {
    if (postings.count(term) < tableThreshold) return undefined;
    const table = cache.get(term) ?? new Uint8Array(maxPages);
    if (!cache.delete(term)) {
      const { pages, start, end } = lists.whole({ term, inTitle: false });
      const shift = postings.start(term) - start;
      for (let index = start; index < end; index++)
        table[pages[index] as number] = impacts[index + shift] as number;
    }
    // Inserted again at the end: the first entry of the map is the least recently used.
    cache.set(term, table);
    if (cache.size > maxCachedTables) cache.delete(cache.keys().next().value as number);
    return table;
  };
}

/** The number of pages with a term, exact or stem. Dead pages count until they are merged away. */
export function documentFrequency(segment: Segment, term: string): number {
  const number = segment.termNumber(term);
  return number < 0 ? 0 : segment.dictionary.postings.count(number);
}

/** The number of the page with this id; -1 if the segment does not have it. */
export function pageNumber(segment: Segment, id: string): number {
  let low = 0;
  let high = segment.pageCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (segment.idOf(middle) < id) low = middle + 1;
    else high = middle;
  }
  return low < segment.pageCount && segment.idOf(low) === id ? low : -1;
}

/** The sums of the field lengths over all pages that are not dead. */
export function totalLengths(segment: Segment, dead?: PageSet): PerField {
  const totals: [number, number, number, number] = [0, 0, 0, 0];
  for (let page = 0; page < segment.pageCount; page++) {
    if (dead && hasPage(dead, page)) continue;
    for (let field = 0; field < 4; field++) {
      totals[field] = (totals[field] as number) + (segment.lengths[4 * page + field] as number);
    }
  }
  return totals;
}
