import type { FileType } from '../../page.ts';
import { pageIdBytes } from '../../store/page/page-id.ts';
import type { PerField } from '../bm25f.ts';
import type { Sections, WrittenMarks } from './format.ts';
import { stringTable } from './string-table.ts';

/** The columns of a page in a segment: everything but its terms. */
export interface PageColumns {
  readonly id: string;
  readonly crawledAt: number;
  readonly lang: string;
  /** An index in `fileTypes`, with `copyFlag` for a copy of another host's page and `privateFlag`. */
  readonly fileType: number;
  /** The URL's host name backwards, so that a domain and its subdomains are adjacent in the sorted table. */
  readonly host: string;
  readonly path: string;
  readonly lengths: PerField;
  /** See `AddressParts`. */
  readonly origin: string;
  /** Empty for a page without one. */
  readonly siteName: string;
  /** The records of the page's texts and of its marks. */
  readonly text: Uint8Array;
  readonly marks: Uint8Array;
}

/** File types by their number in segments. New types are appended. */
export const fileTypes: readonly FileType[] = [
  'html',
  'text',
  'markdown',
  'pdf',
  'doc',
  'docx',
  'odt',
  'rtf',
  'ppt',
  'pptx',
  'odp',
  'xls',
  'xlsx',
  'ods',
  'epub',
];

/** In the column of file types: marks a copy, which only searches that name a site return. */
export const copyFlag = 0x80;

/** In the column of file types: marks a page that was read with credentials. */
export const privateFlag = 0x40;

/** An index in `fileTypes`, of an item of the column. */
export function fileTypeOf(item: number): number {
  return item & ~(copyFlag | privateFlag);
}

export function backwards(text: string): string {
  return [...text].reverse().join('');
}

type ColumnSections = Pick<
  Sections,
  | 'pageIds'
  | 'crawlTimes'
  | 'lengths'
  | 'langs'
  | 'langOffsets'
  | 'langText'
  | 'fileTypes'
  | 'hosts'
  | 'hostOffsets'
  | 'hostText'
  | 'pathOffsets'
  | 'pathText'
>;

/** The columns of pages that are sorted by id. */
export function columnSections(pages: readonly PageColumns[]): ColumnSections {
  const langs = numbered(pages.map(({ lang }) => lang));
  const hosts = numbered(pages.map(({ host }) => host));
  const paths = stringTable(pages.map(({ path }) => path));
  const pageIds = new Uint8Array(pages.length * 16);
  const lengths = new Uint32Array(pages.length * 4);
  for (const [index, page] of pages.entries()) {
    pageIds.set(pageIdBytes(page.id), index * 16);
    lengths.set(page.lengths, index * 4);
  }
  return {
    pageIds,
    lengths,
    crawlTimes: Float64Array.from(pages, ({ crawledAt }) => crawledAt),
    fileTypes: Uint8Array.from(pages, ({ fileType }) => fileType),
    langs: langs.numbers,
    langOffsets: langs.table.offsets,
    langText: langs.table.text,
    hosts: hosts.numbers,
    hostOffsets: hosts.table.offsets,
    hostText: hosts.table.text,
    pathOffsets: paths.offsets,
    pathText: paths.text,
  };
}

/** What is stored of the same pages for ranking and snippets, apart from positions. */
export function markColumns(
  pages: readonly PageColumns[],
): Omit<WrittenMarks, 'positions' | 'positionSkips'> {
  const origins = numbered(pages.map(({ origin }) => origin));
  const siteNames = numbered(pages.map(({ siteName }) => siteName));
  const pageText = pages.map(({ text }) => text);
  const pageMarks = pages.map(({ marks }) => marks);
  return {
    pageTextOffsets: offsetsOf(pageText),
    pageText,
    pageMarkOffsets: offsetsOf(pageMarks),
    pageMarks,
    origins: origins.numbers,
    originOffsets: origins.table.offsets,
    originText: origins.table.text,
    siteNames: siteNames.numbers,
    siteNameOffsets: siteNames.table.offsets,
    siteNameText: siteNames.table.text,
  };
}

function offsetsOf(records: readonly Uint8Array[]): Uint32Array {
  const offsets = new Uint32Array(records.length + 1);
  for (const [index, { length }] of records.entries())
    offsets[index + 1] = (offsets[index] as number) + length;
  return offsets;
}

/** The distinct values, sorted, and for each value its index among them. */
function numbered(values: readonly string[]) {
  const sorted = [...new Set(values)].sort();
  const numbers = new Map(sorted.map((value, number) => [value, number]));
  return {
    table: stringTable(sorted),
    numbers: Uint16Array.from(values, (value) => numbers.get(value) as number),
  };
}
