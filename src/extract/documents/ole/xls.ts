import type { Reading } from '../../extracted.ts';
import { unnamed } from '../openxml/xlsx.ts';
import { readingOf } from '../properties.ts';
import { RefusedDocument } from '../refused.ts';
import { createStructuredText, type StructuredText } from '../structured-text.ts';
import type { OleFile } from './ole.ts';
import { oleProperties } from './ole-properties.ts';
import { createSheetWriter, type SheetWriter } from './xls-cells.ts';
import { decryptWorkbook } from './xls-decryption.ts';
import { type BiffRecord, readRecords } from './xls-records.ts';
import { type BiffText, createBiffText } from './xls-strings.ts';

/** Record types ([MS-XLS] 2.3.2). */
const types = {
  bof: 0x809,
  eof: 0x0a,
  date1904: 0x22,
  codePage: 0x42,
  boundSheet: 0x85,
  extendedFormat: 0xe0,
  sharedStrings: 0xfc,
  textObject: 0x1b6,
  format: 0x41e,
} as const;
const biff8 = 0x600;

/** In the second field of a BOF record: the part with what all sheets share. */
const globalsPart = 5;

interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
}

/** What is known of a workbook while its records are read. */
interface Workbook {
  readonly out: StructuredText;
  readonly sheets: Sheet[];
  /** Number formats by their number, and the number of each cell format. */
  readonly formatCodes: Map<number, string>;
  readonly cellFormats: number[];
  from1904: boolean;
  strings: readonly string[];
  codePage: number;
  isWide: boolean;
  text: BiffText;
  /** Parts that are open: a chart stands inside its sheet. */
  depth: number;
  sheetIndex: number;
  sheet: SheetWriter;
}

type RecordReader = (book: Workbook, record: BiffRecord) => void;

const readers: Readonly<Record<number, RecordReader>> = {
  [types.codePage](book, { data }) {
    if (data.length >= 2) setEncoding(book, book.isWide, data.readUInt16LE(0));
  },
  [types.date1904](book, { data }) {
    book.from1904 = data[0] === 1;
  },
  [types.boundSheet]({ sheets, text }, { data }) {
    if (data.length > 7) sheets.push({ isHidden: (data[4] ?? 0) !== 0, name: text.short(data, 6) });
  },
  [types.format]({ formatCodes, isWide, text }, { data }) {
    if (data.length > 3)
      formatCodes.set(data.readUInt16LE(0), isWide ? text.long(data, 2) : text.short(data, 2));
  },
  [types.extendedFormat]({ cellFormats }, { data }) {
    if (data.length >= 4) cellFormats.push(data.readUInt16LE(2));
  },
  [types.sharedStrings](book, { parts }) {
    book.strings = book.text.shared(parts);
  },
  [types.textObject]({ sheet, text }, { parts }) {
    sheet.box(text.box(parts));
  },
};

/**
 * Reads an Excel binary workbook ([MS-XLS] BIFF8, and BIFF5 of Excel 5 and 95) as `readXlsx` reads a package: its visible
 * sheets, a line for each row, then the text boxes. One that is locked with the default password opens.
 */
export function readXls(file: OleFile, page: { readonly url: string; readonly now: number }): Reading {
  const stream = file.read('Workbook') ?? file.read('Book');
  if (stream === undefined || stream.length < 8) throw new RefusedDocument('damaged file');
  const out = createStructuredText();
  const book = emptyWorkbook(out);
  for (const record of readRecords(decryptWorkbook(stream))) {
    const { type } = record;
    if (out.isFull()) break;
    if (type === types.bof) openPart(book, record);
    else if (type === types.eof) closePart(book);
    else if (book.depth <= 1) (readers[type] ?? readCell)(book, record);
  }
  book.sheet.finish();
  return readingOf(out.finish(), oleProperties(file), { ...page, fileType: 'xls' });
}

function emptyWorkbook(out: StructuredText): Workbook {
  const [isWide, codePage] = [true, 1252];
  return {
    out,
    sheets: [],
    formatCodes: new Map(),
    cellFormats: [],
    from1904: false,
    strings: [],
    codePage,
    isWide,
    text: createBiffText({ isWide, codePage }),
    depth: 0,
    sheetIndex: -1,
    sheet: createSheetWriter(out),
  };
}

function setEncoding(book: Workbook, isWide: boolean, codePage: number): void {
  Object.assign(book, { isWide, codePage, text: createBiffText({ isWide, codePage }) });
}

function openPart(book: Workbook, { data }: BiffRecord): void {
  book.depth++;
  if (book.depth > 1) return;
  if (data.length >= 4 && data.readUInt16LE(2) === globalsPart) {
    setEncoding(book, data.readUInt16LE(0) === biff8, book.codePage);
    return;
  }
  const { name = '', isHidden = false } = book.sheets[++book.sheetIndex] ?? {};
  book.sheet = createSheetWriter(book.out, isHidden);
  if (!isHidden && !unnamed.test(name)) book.out.heading(name);
}

function closePart(book: Workbook): void {
  book.depth--;
  if (book.depth === 0) book.sheet.finish();
}

const readCell: RecordReader = ({ sheet, strings, text, from1904, formatCodes, cellFormats }, record) => {
  const formatOf = (cellFormat: number): string => {
    const format = cellFormats[cellFormat] ?? 0;
    return formatCodes.get(format) ?? String(format);
  };
  sheet.cell(record, { strings, text, formatOf, from1904 });
};
