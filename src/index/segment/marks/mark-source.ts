import type { MarkSections, Sections } from '../format.ts';
import type { ListPages } from '../lists/list-pages.ts';
import { stringAt } from '../string-table.ts';
import { PositionFinder } from './position-finder.ts';
import { hostOfOrigin, type OriginHost } from './segment-address.ts';

/** What `SegmentMarks` reads of a segment. Making one decodes nothing. */
export interface MarkSource {
  readonly postings: PositionFinder;
  readonly texts: Buffer;
  readonly records: Buffer;
  textStart(page: number): number;
  recordStart(page: number): number;
  originOf(page: number): string;
  /** The host of the origin. */
  hostOf(page: number): OriginHost;
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

const maxCachedHosts = 1000;

export function createMarkSource(segment: MarkedSegment): MarkSource {
  const { sections, lists, marks, langCodes, termNumber } = segment;
  const origins = { offsets: marks.originOffsets, text: marks.originText };
  const siteNames = { offsets: marks.siteNameOffsets, text: marks.siteNameText };
  const paths = bufferOf(sections.pathText);
  const { pathOffsets } = sections;
  const hosts = new Map<number, OriginHost>();
  const hostOf = (origin: number): OriginHost => {
    const known = hosts.get(origin);
    if (known) return known;
    if (hosts.size >= maxCachedHosts) hosts.clear();
    const host = hostOfOrigin(stringAt(origins, origin));
    hosts.set(origin, host);
    return host;
  };
  return {
    postings: new PositionFinder({ lists, marks, termNumber }),
    texts: bufferOf(marks.pageText),
    records: bufferOf(marks.pageMarks),
    textStart: (page) => marks.pageTextOffsets[page] as number,
    recordStart: (page) => marks.pageMarkOffsets[page] as number,
    originOf: (page) => stringAt(origins, marks.origins[page] as number),
    hostOf: (page) => hostOf(marks.origins[page] as number),
    // The paths of URLs are ASCII.
    pathOf: (page) => paths.toString('latin1', pathOffsets[page], pathOffsets[page + 1]),
    siteNameOf: (page) => stringAt(siteNames, marks.siteNames[page] as number),
    langOf: (page) => langCodes[sections.langs[page] as number] as string,
    crawledAtOf: (page) => sections.crawlTimes[page] as number,
  };
}

/** The same bytes, with the methods of a buffer. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
