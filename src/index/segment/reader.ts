import { pageIdFromBytes } from '../../store/page/page-id.ts';
import type { PerField } from '../bm25f.ts';
import { Block } from './block.ts';
import { copyFlag, fileTypeOf, fileTypes, privateFlag } from './columns.ts';
import { findTerm, noTerm } from './dictionary.ts';
import { type MarkSections, maxPages, readSections, type Sections } from './format.ts';
import { createMarkSource } from './marks/mark-source.ts';
import { skipInterval } from './marks/positions.ts';
import { SegmentMarks } from './marks/segment-marks.ts';
import { hasPage, type PageSet } from './page-set.ts';
import { stringsOf } from './string-table.ts';
import type { HitSource } from './top-k.ts';

const maxCachedTerms = 1000;
/** Minimum postings of a term for a table of its impacts, which takes a byte for each page number. */
const tableThreshold = 8192;
const maxCachedTables = 128;

/** One packed segment: views over the bytes of its file. Pages are numbered in the order of their ids. */
export interface Segment extends HitSource, Omit<Sections, 'averageLengths'> {
  readonly pageCount: number;
  readonly termCount: number;
  /** The averages that the impacts were computed with. */
  readonly averageLengths: PerField;
  /** The language codes by their numbers in `langs`. */
  readonly langCodes: readonly string[];
  /** Working memory of searches. They run to their end without a pause, so no two of them use it at a time. */
  readonly block: Block;
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
 * bounds and offsets are checked; without `checksBytes`, of all that grows with the file only the lengths are, so that
 * opening a mapped file does not read it. The order of the page numbers in posting lists is not, so a forged file with right
 * checksums can cause wrong results, but nothing worse.
 */
export function openSegment(bytes: ArrayBufferLike, checksBytes = true): OpenedSegment {
  const sections = readSections(bytes, checksBytes);
  if (typeof sections === 'string') return { kind: 'damaged', why: sections };
  const why = wrongLengths(sections) ?? (checksBytes ? wrongItems(sections) : undefined);
  if (why !== undefined) return { kind: 'damaged', why };
  const { pageIds, averageLengths, langOffsets: offsets, langText: text, marks } = sections;
  const langCodes = stringsOf({ offsets, text });
  const termNumber = cacheTermNumbers(sections);
  const source = marks && createMarkSource({ sections, marks, langCodes, termNumber });
  const segment: Segment = {
    ...sections,
    pageCount: sections.crawlTimes.length,
    termCount: sections.termHashes.length,
    averageLengths: Array.from(averageLengths) as unknown as PerField,
    langCodes,
    block: new Block(),
    holdsCopies: lookForFlag(sections, copyFlag),
    holdsPrivatePages: lookForFlag(sections, privateFlag),
    termNumber,
    impactsByPage: cacheImpactTables(sections),
    idOf: (page) => pageIdFromBytes(pageIds, page * 16),
    marksOf: (page) => source && new SegmentMarks(source, page),
  };
  return { kind: 'segment', segment };
}

/**
 * `findTerm`, cached: a search looks up each of its terms several times, and the next search many of them again. In a file
 * that was opened unchecked and is damaged, a term whose lists are not within their sections is as good as none.
 */
function cacheTermNumbers(sections: Sections): (term: string) => number {
  const cache = new Map<string, number>();
  return (term) => {
    const cachedNumber = cache.get(term);
    if (cachedNumber !== undefined) return cachedNumber;
    const found = findTerm(sections, term);
    const number = found >= 0 && hasLists(sections, found) ? found : -1;
    if (cache.size >= maxCachedTerms) cache.clear();
    cache.set(term, number);
    return number;
  };
}

function hasLists({ postingOffsets, titleOffsets, impacts, postingPages }: Sections, term: number): boolean {
  const isWithin = (offsets: Uint32Array, last: number): boolean =>
    (offsets[term] as number) <= (offsets[term + 1] as number) && (offsets[term + 1] as number) <= last;
  return isWithin(postingOffsets, impacts.length) && isWithin(titleOffsets, postingPages.length);
}

/** Not when a segment is opened, which would read this column of a mapped file. */
function lookForFlag({ fileTypes: types }: Sections, flag: number): () => boolean {
  let found: boolean | undefined;
  return () => {
    found ??= types.some((type) => (type & flag) !== 0);
    return found;
  };
}

/** Tables of the impacts of frequent terms, cached: the most frequent terms are in most queries. */
function cacheImpactTables(sections: Sections): (term: number) => Uint8Array | undefined {
  const { postingOffsets, postingPages, impacts } = sections;
  const cache = new Map<number, Uint8Array>();
  return (term) => {
    const start = postingOffsets[term] as number;
    const end = postingOffsets[term + 1] as number;
    if (end - start < tableThreshold) return undefined;
    const table = cache.get(term) ?? new Uint8Array(maxPages);
    if (!cache.delete(term)) {
      for (let index = start; index < end; index++)
        table[postingPages[index] as number] = impacts[index] as number;
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
  if (number < 0) return 0;
  return (segment.postingOffsets[number + 1] as number) - (segment.postingOffsets[number] as number);
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

/** What is wrong with the lengths of sections, and with their few numbers that all else depends on. */
function wrongLengths(sections: Sections): string | undefined {
  const pages = sections.crawlTimes.length;
  const terms = sections.termHashes.length;
  const buckets = sections.termBuckets.length - 1;
  if (pages > maxPages) return `${pages} pages are too many`;
  const postings = sections.impacts.length;
  const { marks } = sections;
  const sizes: Size[] = [
    ['averageLengths', sections.averageLengths.length, 4],
    ['pageIds', sections.pageIds.length, 16 * pages],
    ['lengths', sections.lengths.length, 4 * pages],
    ['langs', sections.langs.length, pages],
    ['fileTypes', sections.fileTypes.length, pages],
    ['hosts', sections.hosts.length, pages],
    ['pathOffsets', sections.pathOffsets.length, pages + 1],
    ['termStems', sections.termStems.length, terms],
    ['termOffsets', sections.termOffsets.length, terms + 1],
    ['postingOffsets', sections.postingOffsets.length, terms + 1],
    ['titleOffsets', sections.titleOffsets.length, terms + 1],
    ...(marks ? markSizes(marks, { pages, postings }) : []),
  ];
  for (const [name, length, expected] of sizes) {
    if (length !== expected) return `section ${name} has ${length} items, not ${expected}`;
  }
  if (buckets < 2 || !Number.isInteger(Math.log2(buckets))) return `${buckets} buckets are no power of two`;
  if (!sections.averageLengths.every((average) => average >= 0 && average < Number.POSITIVE_INFINITY))
    return 'an average length is no number';
  return undefined;
}

/** What is wrong with the items of sections whose checksums and lengths are right; undefined if nothing is. */
function wrongItems(sections: Sections): string | undefined {
  const terms = sections.termHashes.length;
  const postings = sections.impacts.length;
  const langs = sections.langOffsets.length - 1;
  const hosts = sections.hostOffsets.length - 1;
  const { marks } = sections;
  const ranges: Range[] = [
    ['termBuckets', sections.termBuckets, 0, terms],
    ['termOffsets', sections.termOffsets, 0, sections.termText.length],
    ['postingOffsets', sections.postingOffsets, 0, postings],
    ['titleOffsets', sections.titleOffsets, postings, sections.postingPages.length],
    ['langOffsets', sections.langOffsets, 0, sections.langText.length],
    ['hostOffsets', sections.hostOffsets, 0, sections.hostText.length],
    ['pathOffsets', sections.pathOffsets, 0, sections.pathText.length],
    ...(marks ? markRanges(marks) : []),
  ];
  for (const [name, offsets, first, last] of ranges) {
    if (!rises(offsets, first, last)) return `section ${name} does not rise from ${first} to ${last}`;
  }
  if (!allBelow(sections.langs, langs)) return 'a language is out of range';
  if (!allBelow(sections.hosts, hosts)) return 'a host is out of range';
  if (sections.fileTypes.some((type) => fileTypeOf(type) >= fileTypes.length))
    return 'a file type is out of range';
  if (!allBelow(sections.termStems, terms, noTerm)) return 'a stem is out of range';
  if (marks && !allBelow(marks.origins, marks.originOffsets.length - 1)) return 'an origin is out of range';
  if (marks && !allBelow(marks.siteNames, marks.siteNameOffsets.length - 1))
    return 'a site name is out of range';
  return undefined;
}

type Size = readonly [section: string, length: number, expected: number];
type Range = readonly [section: string, offsets: Uint32Array, first: number, last: number];

function markSizes(
  marks: MarkSections,
  { pages, postings }: { readonly pages: number; readonly postings: number },
): Size[] {
  return [
    ['positionSkips', marks.positionSkips.length, Math.ceil(postings / skipInterval)],
    ['pageTextOffsets', marks.pageTextOffsets.length, pages + 1],
    ['pageMarkOffsets', marks.pageMarkOffsets.length, pages + 1],
    ['origins', marks.origins.length, pages],
    ['siteNames', marks.siteNames.length, pages],
  ];
}

/** What is within the records and the positions is not checked: it is read only within them. */
function markRanges(marks: MarkSections): Range[] {
  return [
    ['pageTextOffsets', marks.pageTextOffsets, 0, marks.pageText.length],
    ['pageMarkOffsets', marks.pageMarkOffsets, 0, marks.pageMarks.length],
    ['originOffsets', marks.originOffsets, 0, marks.originText.length],
    ['siteNameOffsets', marks.siteNameOffsets, 0, marks.siteNameText.length],
  ];
}

function allBelow(items: Uint8Array | Uint16Array | Uint32Array, limit: number, exception = -1): boolean {
  for (let index = 0; index < items.length; index++) {
    if ((items[index] as number) >= limit && items[index] !== exception) return false;
  }
  return true;
}

function rises(offsets: Uint32Array, first: number, last: number): boolean {
  if (offsets[0] !== first || offsets[offsets.length - 1] !== last) return false;
  for (let index = 1; index < offsets.length; index++) {
    if ((offsets[index] as number) < (offsets[index - 1] as number)) return false;
  }
  return true;
}
