import type { MarkSections, Sections } from '../format.ts';
import type { ListPages } from '../lists/list-pages.ts';
import { stringAt } from '../string-table.ts';
import { PositionFinder } from './position-finder.ts';

/** What `SegmentMarks` reads of a segment. Making one decodes nothing. */
export interface MarkSource {
  readonly postings: PositionFinder;
  readonly texts: Buffer;
  readonly records: Buffer;
  textStart(page: number): number;
  recordStart(page: number): number;
  originOf(page: number): string;
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

export function createMarkSource(segment: MarkedSegment): MarkSource {
  const { sections, lists, marks, langCodes, termNumber } = segment;
  const origins = { offsets: marks.originOffsets, text: marks.originText };
  const siteNames = { offsets: marks.siteNameOffsets, text: marks.siteNameText };
  const paths = { offsets: sections.pathOffsets, text: sections.pathText };
  return {
    postings: new PositionFinder({ lists, marks, termNumber }),
    texts: bufferOf(marks.pageText),
    records: bufferOf(marks.pageMarks),
    textStart: (page) => marks.pageTextOffsets[page] as number,
    recordStart: (page) => marks.pageMarkOffsets[page] as number,
    originOf: (page) => stringAt(origins, marks.origins[page] as number),
    pathOf: (page) => stringAt(paths, page),
    siteNameOf: (page) => stringAt(siteNames, marks.siteNames[page] as number),
    langOf: (page) => langCodes[sections.langs[page] as number] as string,
    crawledAtOf: (page) => sections.crawlTimes[page] as number,
  };
}

/** The same bytes, with the methods of a buffer. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
