import type { MarkSections, Sections } from '../format.ts';
import type { ListPages } from '../lists/list-pages.ts';
import { bufferOf, stringReader } from '../string-table.ts';
import { PositionFinder } from './position-finder.ts';
import { type Origin, originFrom } from './segment-address.ts';

/** What `SegmentMarks` reads of a segment. Making one decodes nothing. */
export interface MarkSource {
  readonly postings: PositionFinder;
  readonly texts: Buffer;
  readonly records: Buffer;
  textStart(page: number): number;
  recordStart(page: number): number;
  originOf(page: number): Origin;
  pathOf(page: number): string;
  siteNameOf(page: number): string;
  langOf(page: number): string;
  crawledAtOf(page: number): number;
}

interface MarkedSegment {
  readonly sections: Sections;
  readonly lists: ListPages;
  readonly marks: MarkSections;
  readonly langCodes: readonly string[];
  termNumber(term: string): number;
}

const maxCachedOrigins = 1000;

export function createMarkSource(segment: MarkedSegment): MarkSource {
  const { sections, lists, marks, langCodes, termNumber } = segment;
  const readOrigin = stringReader({ offsets: marks.originOffsets, text: marks.originText });
  const readSiteName = stringReader({ offsets: marks.siteNameOffsets, text: marks.siteNameText });
  const paths = bufferOf(sections.pathText);
  const { pathOffsets } = sections;
  const origins = new Map<number, Origin>();
  const originNumbered = (number: number): Origin => {
    const known = origins.get(number);
    if (known) return known;
    if (origins.size >= maxCachedOrigins) origins.clear();
    const origin = originFrom(readOrigin(number));
    origins.set(number, origin);
    return origin;
  };
  return {
    postings: new PositionFinder({ lists, marks, termNumber }),
    texts: bufferOf(marks.pageText),
    records: bufferOf(marks.pageMarks),
    textStart: (page) => marks.pageTextOffsets[page] as number,
    recordStart: (page) => marks.pageMarkOffsets[page] as number,
    originOf: (page) => originNumbered(marks.origins[page] as number),
    // The paths of URLs are ASCII.
    pathOf: (page) => paths.toString('latin1', pathOffsets[page], pathOffsets[page + 1]),
    siteNameOf: (page) => readSiteName(marks.siteNames[page] as number),
    langOf: (page) => langCodes[sections.langs[page] as number] as string,
    crawledAtOf: (page) => sections.crawlTimes[page] as number,
  };
}
