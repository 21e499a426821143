import type { PerField } from '../../bm25f.ts';
import type { PageColumns } from '../columns.ts';
import { type MarkSections, maxPages } from '../format.ts';
import { hasPage, type PageSet } from '../page-set.ts';
import type { Segment } from '../reader.ts';
import { stringsOf } from '../string-table.ts';

export interface MergeSource {
  /** With marks. */
  readonly segment: Segment;
  /** Pages that are to be left out. */
  readonly dead?: PageSet;
}

/** A source with the new numbers of its pages, `removedPage` for those that are left out. */
export interface RenumberedSource {
  readonly segment: Segment;
  readonly marks: MarkSections;
  readonly pageNumbers: Uint32Array;
  readonly losesPages: boolean;
}

/** In place of a new page number: the page is left out. Above every page number. */
export const removedPage = maxPages;

/** Gives the living pages of all sources new numbers, in the order of their ids. */
export function renumber(sources: readonly MergeSource[]): {
  renumbered: RenumberedSource[];
  columns: PageColumns[];
} {
  const living = sources.flatMap(({ segment, dead }, source) => {
    const pages = columnsOf(segment).map((columns, page) => ({ columns, source, page }));
    return dead ? pages.filter(({ page }) => !hasPage(dead, page)) : pages;
  });
  if (living.length > maxPages) throw new RangeError(`a segment holds ${maxPages} pages at most`);
  living.sort((a, b) => (a.columns.id < b.columns.id ? -1 : 1));
  const numbers = sources.map(({ segment }) => new Uint32Array(segment.pageCount).fill(removedPage));
  for (const [number, { columns, source, page }] of living.entries()) {
    if (columns.id === living[number - 1]?.columns.id)
      throw new RangeError(`two pages with the id ${columns.id}`);
    (numbers[source] as Uint32Array)[page] = number;
  }
  const renumbered = sources.map(({ segment }, source) => {
    const pageNumbers = numbers[source] as Uint32Array;
    return { segment, marks: marksOf(segment), pageNumbers, losesPages: pageNumbers.includes(removedPage) };
  });
  return { renumbered, columns: living.map(({ columns }) => columns) };
}

function marksOf({ marks }: Segment): MarkSections {
  if (!marks) throw new RangeError('a segment without marks cannot be merged');
  return marks;
}

function columnsOf(segment: Segment): PageColumns[] {
  const hosts = stringsOf({ offsets: segment.hostOffsets, text: segment.hostText });
  const paths = stringsOf({ offsets: segment.pathOffsets, text: segment.pathText });
  const marks = marksOf(segment);
  const origins = stringsOf({ offsets: marks.originOffsets, text: marks.originText });
  const siteNames = stringsOf({ offsets: marks.siteNameOffsets, text: marks.siteNameText });
  return paths.map((path, page) => ({
    id: segment.idOf(page),
    crawledAt: segment.crawlTimes[page] as number,
    lang: segment.langCodes[segment.langs[page] as number] as string,
    fileType: segment.fileTypes[page] as number,
    host: hosts[segment.hosts[page] as number] as string,
    path,
    lengths: segment.lengths.subarray(4 * page, 4 * page + 4) as unknown as PerField,
    origin: origins[marks.origins[page] as number] as string,
    siteName: siteNames[marks.siteNames[page] as number] as string,
    text: marks.pageText.subarray(marks.pageTextOffsets[page], marks.pageTextOffsets[page + 1]),
    marks: marks.pageMarks.subarray(marks.pageMarkOffsets[page], marks.pageMarkOffsets[page + 1]),
  }));
}
