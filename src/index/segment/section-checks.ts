import { fileTypeOf, fileTypes } from './columns.ts';
import { CountedRanges } from './dictionary/counted-ranges.ts';
import { noTerm } from './dictionary/dictionary.ts';
import { RankedBits } from './dictionary/ranked-bits.ts';
import {
  type CompactSections,
  type ListSections,
  type MarkSections,
  maxPages,
  type PlainTerms,
  type Sections,
} from './format.ts';
import { areLongLists } from './lists/list-pages.ts';
import { skipInterval } from './marks/positions.ts';

/** What is wrong with the lengths of sections, or with a few numbers that all else depends on; undefined if nothing is. */
export function wrongLengths(sections: Sections): string | undefined {
  const pages = sections.crawlTimes.length;
  const { terms, marks } = sections;
  const buckets = terms.termBuckets.length - 1;
  if (pages > maxPages) return `${pages} pages are too many`;
  const postings = sections.impacts.length;
  const sizes: Size[] = [
    ['averageLengths', sections.averageLengths.length, 4],
    ['pageIds', sections.pageIds.length, 16 * pages],
    ['lengths', sections.lengths.length, 4 * pages],
    ['langs', sections.langs.length, pages],
    ['fileTypes', sections.fileTypes.length, pages],
    ['hosts', sections.hosts.length, pages],
    ['pathOffsets', sections.pathOffsets.length, pages + 1],
    ...(terms.kind === 'compact' ? compactSizes(terms) : plainSizes(terms)),
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
export function wrongItems(sections: Sections): string | undefined {
  const { terms, marks } = sections;
  const langs = sections.langOffsets.length - 1;
  const hosts = sections.hostOffsets.length - 1;
  const termCount = terms.kind === 'compact' ? terms.termTags.length : terms.termHashes.length;
  const ranges: Range[] = [
    ['termBuckets', terms.termBuckets, 0, termCount],
    ...(terms.kind === 'plain' ? plainRanges(terms, sections) : []),
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
  if (!allBelow(terms.termStems, termCount, noTerm)) return 'a stem is out of range';
  if (terms.kind === 'compact') return wrongDictionary(terms, sections) ?? wrongNames(marks);
  return wrongNames(marks);
}

function wrongNames(marks: MarkSections | undefined): string | undefined {
  if (marks && !allBelow(marks.origins, marks.originOffsets.length - 1)) return 'an origin is out of range';
  if (marks && !allBelow(marks.siteNames, marks.siteNameOffsets.length - 1))
    return 'a site name is out of range';
  return undefined;
}

type Size = readonly [section: string, length: number, expected: number];
type Range = readonly [section: string, offsets: Uint32Array, first: number, last: number];

/** If the counts of a dictionary did not match its tables, reads would go past the end of lists. */
function wrongDictionary(
  terms: CompactSections,
  { impacts, postingPages, crawlTimes }: Pick<Sections, 'impacts' | 'postingPages' | 'crawlTimes'>,
): string | undefined {
  const termCount = terms.termTags.length;
  const { longLists, longPages } = terms;
  // The postings of the long lists, and of all.
  const long = longLists[longLists.length - 2] as number;
  const titles = postingPages.length + long - impacts.length;
  const texts = new CountedRanges({ counts: terms.termLengths, starts: terms.termStarts });
  const postings = new CountedRanges({ counts: terms.postingCounts, starts: terms.postingStarts });
  const titleRanges = new CountedRanges({ counts: terms.titleCounts, starts: terms.titleStarts });
  if (!texts.addUpTo(terms.termText.length)) return 'the lengths of the terms do not add up';
  if (!postings.addUpTo(impacts.length)) return 'the lengths of the posting lists do not add up';
  if (!titleRanges.addUpTo(titles)) return 'the lengths of the title lists do not add up';
  const counts = [...postings.longCounts(), ...titleRanges.longCounts()];
  if (longLists.length !== 2 * counts.length + 2) return 'the long lists are not counted right';
  if (!areLongLists(counts, { longLists, longPages }, crawlTimes.length))
    return 'a long list is not where it must be';
  if (!new RankedBits(terms.stemBits).hasMarked(terms.termStems.length, termCount))
    return 'the terms with stems are not counted right';
  if (!new RankedBits(terms.titleBits).hasMarked(terms.titleCounts.length, termCount))
    return 'the terms in titles are not counted right';
  return undefined;
}

function compactSizes(terms: CompactSections): Size[] {
  const termCount = terms.termTags.length;
  const bitWords = 2 * Math.ceil(termCount / 32);
  return [
    ['termLengths', terms.termLengths.length, termCount],
    ['postingCounts', terms.postingCounts.length, termCount],
    ['stemBits', terms.stemBits.length, bitWords],
    ['titleBits', terms.titleBits.length, bitWords],
  ];
}

function plainSizes(terms: PlainTerms): Size[] {
  const termCount = terms.termHashes.length;
  return [
    ['termStems', terms.termStems.length, termCount],
    ['termOffsets', terms.termOffsets.length, termCount + 1],
    ['postingOffsets', terms.postingOffsets.length, termCount + 1],
    ['titleOffsets', terms.titleOffsets.length, termCount + 1],
  ];
}

function plainRanges(terms: PlainTerms, { impacts, postingPages }: ListSections): Range[] {
  return [
    ['termOffsets', terms.termOffsets, 0, terms.termText.length],
    ['postingOffsets', terms.postingOffsets, 0, impacts.length],
    ['titleOffsets', terms.titleOffsets, impacts.length, postingPages.length],
  ];
}

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

/** The content of records and positions is not checked, because reading it never goes beyond their ends. */
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
