import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inverseDocumentFrequency, type PerField } from '../../src/index/bm25f.ts';
import { openSegmentFile, writeSegmentFile } from '../../src/index/packed/segment-bytes.ts';
import { createSegmentMapping } from '../../src/index/packed/segment-mapping.ts';
import { countTerms } from '../../src/index/page-terms.ts';
import { createSegmentBuilder, type SegmentBuilder } from '../../src/index/segment/build/builder.ts';
import { documentFrequency, openSegment, type Segment } from '../../src/index/segment/reader.ts';
import { searchSegment } from '../../src/index/segment/search.ts';
import { TopK } from '../../src/index/segment/top-k.ts';
import type { Page } from '../../src/page.ts';
import type { Query } from '../../src/query/query.ts';
import { silentLog } from '../../src/runtime.ts';
import { type Builder, type Found, wanted } from './peer.ts';

const segmentPages = 65_536;
/** As many as the index itself takes averages of. */
const averageSample = 2000;
/** As in the service, `GLEANER_MAPPED_INDEX=0` reads what is mapped otherwise. */
const mapping = createSegmentMapping({ log: silentLog, enabled: process.env.GLEANER_MAPPED_INDEX !== '0' });

/** Our index over packed segments alone, without its manifest and its live tier. */
export function buildSegments(folder: string): Builder<Page> {
  let sample: Page[] = [];
  let averageLengths: PerField | undefined;
  let builder: SegmentBuilder | undefined;
  let pages = 0;
  const write = (): void => {
    const path = join(folder, `${Math.ceil(pages / segmentPages)}.seg`);
    if (builder) writeSegmentFile(path, builder.finish(), mapping.minBytes);
    builder = undefined;
  };
  const add = (page: Page): void => {
    averageLengths ??= averagesOf(sample);
    builder ??= createSegmentBuilder({ averageLengths });
    builder.add(page);
    if (++pages % segmentPages === 0) write();
  };
  const addSample = (): void => {
    for (const page of sample) add(page);
    sample = [];
  };
  return {
    add: (batch) => {
      if (averageLengths) batch.forEach(add);
      else if (sample.push(...batch) >= averageSample) addSample();
    },
    finish: () => {
      addSample();
      write();
    },
  };
}

function averagesOf(pages: readonly Page[]): PerField {
  const totals = [0, 0, 0, 0];
  for (const page of pages) {
    countTerms(page).lengths.forEach((length, field) => {
      totals[field] = (totals[field] ?? 0) + length;
    });
  }
  return totals.map((total) => total / Math.max(1, pages.length)) as unknown as PerField;
}

/** Opens the files as the index itself does. */
export async function openSegments(folder: string): Promise<Segment[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.seg'));
  return names.map((name) => {
    const { buffer, needsCheck } = openSegmentFile(join(folder, name), mapping);
    const opened = openSegment(buffer, needsCheck);
    if (opened.kind === 'damaged') throw new Error(`${name}: ${opened.why}`);
    return opened.segment;
  });
}

/** The best of all segments with the exact total; `weights` tells how much each term counts, but for its idf. */
export function searchSegments(
  segments: readonly Segment[],
  query: Query,
  shares: ReadonlyMap<string, number>,
): Found {
  const pages = segments.reduce((sum, { pageCount }) => sum + pageCount, 0);
  const weights = new Map<string, number>();
  for (const [term, share] of shares) {
    const holding = segments.reduce((sum, segment) => sum + documentFrequency(segment, term), 0);
    weights.set(term, share * inverseDocumentFrequency(holding, pages));
  }
  const top = new TopK(wanted);
  const total = segments.reduce((sum, segment) => sum + searchSegment(segment, { query, weights, top }), 0);
  return { total, best: top.hits() };
}
