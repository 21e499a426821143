import type { Page } from '../../../page.ts';
import { growArray } from '../../../text/grow-array.ts';
import { occurrenceWeight, type PerField, saturate } from '../../bm25f.ts';
import { impactOf } from '../../impact-weights.ts';
import { columnSections, markColumns } from '../columns.ts';
import { compactTerms } from '../dictionary/compact-terms.ts';
import { noTerm } from '../dictionary/dictionary.ts';
import { type FilePieces, joinPieces } from '../file-pieces.ts';
import { maxPages, maxTextBytes, writeSections } from '../format.ts';
import { RecordWriter } from '../marks/record-bytes.ts';
import { ColumnLog } from './column-log.ts';
import { invert, type TermRuns } from './invert.ts';
import { invertPositions, type PositionRuns } from './invert-positions.ts';
import { packLists } from './pack-lists.ts';
import { PositionWriter } from './position-writer.ts';
import { sortedTerms } from './sorted-terms.ts';
import { firstStem, TermCounter } from './terms/term-counter.ts';

export interface SegmentsOptions {
  readonly averageLengths: PerField;
  /** A segment ends when the texts of its pages have this many bytes. */
  readonly textLimit?: number;
}

export interface SegmentBuilder {
  /** Throws `RangeError` for more than 65,536 pages and for an invalid id. */
  add(page: Page): void;
  /** The number of postings so far. Memory grows with it, so a segment may have to end before it is full. */
  postingCount(): number;
  /** The bytes of the texts of the pages so far: see `maxTextBytes`. */
  textBytes(): number;
  /** The file. Throws `RangeError` for two pages with one id. */
  finish(): FilePieces;
}

/**
 * Packs pages into the bytes of a segment file (docs/segment-format.md); the array spans its whole buffer.
 * Throws `RangeError` for more than 65,536 pages and for two pages with one id.
 */
export function buildSegment(
  pages: Iterable<Page>,
  options: { readonly averageLengths: PerField },
): Uint8Array<ArrayBuffer> {
  const builder = createSegmentBuilder(options);
  for (const page of pages) builder.add(page);
  return joinPieces(builder.finish());
}

/** Packs pages into as few segment files as `maxPages` and a limit for the bytes of their texts allow. */
export function* buildSegments(
  pages: Iterable<Page>,
  { averageLengths, textLimit = maxTextBytes }: SegmentsOptions,
): Generator<FilePieces> {
  let builder: SegmentBuilder | undefined;
  let pageCount = 0;
  for (const page of pages) {
    builder ??= createSegmentBuilder({ averageLengths });
    builder.add(page);
    if (++pageCount < maxPages && builder.textBytes() < textLimit) continue;
    yield builder.finish();
    builder = undefined;
    pageCount = 0;
  }
  if (builder) yield builder.finish();
}

/**
 * Takes pages in any order. Needs ten to fifteen bytes of memory for each posting besides the texts, and twice as much to
 * finish.
 */
export function createSegmentBuilder(options: { readonly averageLengths: PerField }): SegmentBuilder {
  const { averageLengths } = options;
  const counter = new TermCounter();
  const columns = new ColumnLog();
  const text: TermRuns = { items: new Uint32Array(1024), ends: [] };
  const title: TermRuns = { items: new Uint32Array(1024), ends: [] };
  let impacts = new Uint8Array(1024);
  const positionWriter = new PositionWriter();
  const positions: PositionRuns = { writer: new RecordWriter(), starts: [] };
  let textBytes = 0;

  const add = (page: Page): void => {
    if (columns.ids.length === maxPages) throw new RangeError(`a segment holds ${maxPages} pages at most`);
    counter.count(page);
    textBytes += columns.add(page, counter.lengths);
    positions.starts.push(positions.writer.end);
    positionWriter.write(counter, positions.writer);
    const weights = averageLengths.map((average, field) =>
      occurrenceWeight(field, counter.lengths[field] as number, average),
    ) as unknown as PerField;
    const { size, terms, counts } = counter;
    let end = text.ends.at(-1) ?? 0;
    let titleEnd = title.ends.at(-1) ?? 0;
    text.items = growArray(text.items, end + size);
    title.items = growArray(title.items, titleEnd + size);
    impacts = growArray(impacts, end + size);
    for (let slot = 0; slot < size; slot++) {
      const counterIndex = 4 * slot;
      const weighted =
        (counts[counterIndex] as number) * weights[0] +
        (counts[counterIndex + 1] as number) * weights[1] +
        (counts[counterIndex + 2] as number) * weights[2] +
        (counts[counterIndex + 3] as number) * weights[3];
      text.items[end] = terms[slot] as number;
      impacts[end++] = impactOf(saturate(weighted));
      if ((counts[counterIndex] as number) > 0) title.items[titleEnd++] = terms[slot] as number;
    }
    text.ends.push(end);
    title.ends.push(titleEnd);
  };

  const finish = (): FilePieces => {
    const order = pageOrder(columns.ids);
    const sortedColumns = Array.from(order, (pageIndex) => columns.at(pageIndex));
    const { order: terms, ranks, ...dictionary } = sortedTerms(counter.table);
    const postings = invert(text, { pages: order, terms }, impacts);
    const markedPositions = invertPositions(text, positions, { pages: order, terms });
    const titles = invert(title, { pages: order, terms });
    const count = postings.items.length;
    const pages = new Uint16Array(count);
    const sortedImpacts = new Uint8Array(count);
    for (let index = 0; index < count; index++) {
      const posting = postings.items[index] as number;
      pages[index] = posting >>> 8;
      sortedImpacts[index] = posting;
    }
    const { postingPages, ...long } = packLists(
      [
        { pages, offsets: postings.offsets },
        { pages: Uint16Array.from(titles.items), offsets: titles.offsets },
      ],
      order.length,
    );
    return writeSections({
      averageLengths: Float64Array.from(averageLengths),
      terms: {
        ...compactTerms({
          ...dictionary,
          termStems: terms.map((term) => {
            const stem = counter.commonStems[term] as number;
            return stem < firstStem ? noTerm : (ranks[stem - firstStem] as number);
          }),
          postingOffsets: postings.offsets,
          titleOffsets: titles.offsets,
        }),
        ...long,
      },
      postingPages,
      impacts: sortedImpacts,
      ...columnSections(sortedColumns),
      marks: { ...markedPositions, ...markColumns(sortedColumns) },
    });
  };

  return { add, postingCount: () => text.ends.at(-1) ?? 0, textBytes: () => textBytes, finish };
}

/** The indexes of the pages in the order of their ids. */
function pageOrder(ids: readonly string[]): Uint32Array {
  const idAt = (pageIndex: number): string => ids[pageIndex] as string;
  const order = Uint32Array.from(ids.keys()).sort((a, b) => (idAt(a) < idAt(b) ? -1 : 1));
  for (let index = 1; index < order.length; index++) {
    const id = idAt(order[index] as number);
    if (id === idAt(order[index - 1] as number)) throw new RangeError(`two pages with the id ${id}`);
  }
  return order;
}
