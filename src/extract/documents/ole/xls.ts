import type { Reading } from '../../extracted.ts';
import { unnamed } from '../openxml/xlsx.ts';
import { readingOf } from '../properties.ts';
import { Refused } from '../refused.ts';
import { createStructuredText } from '../structured-text.ts';
import type { OleFile } from './ole.ts';
import { oleProperties } from './ole-properties.ts';
import { createSheetWriter } from './xls-cells.ts';
import { readRecords } from './xls-records.ts';
import { type BiffText, createBiffText } from './xls-strings.ts';

/** Record types ([MS-XLS] 2.3.2). */
const types = {
  bof: 0x809,
  eof: 0x0a,
  date1904: 0x22,
  filePass: 0x2f,
  codePage: 0x42,
  boundSheet: 0x85,
  extendedFormat: 0xe0,
  sharedStrings: 0xfc,
  textObject: 0x1b6,
  format: 0x41e,
} as const;
const biff8 = 0x600;

interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
}

/**
 * Reads an Excel binary workbook ([MS-XLS] BIFF8, and BIFF5 of Excel 5 and 95) as `readXlsx` reads a package: its visible
 * sheets, a line for each row, then the text boxes.
 */
export function readXls(file: OleFile, page: { readonly url: string; readonly now: number }): Reading {
  const stream = file.read('Workbook') ?? file.read('Book');
  if (stream === undefined || stream.length < 8) throw new Refused('damaged file');
  const sheets: Sheet[] = [];
  const formats = { codes: new Map<number, string>(), byCell: [] as number[], from1904: false };
  const out = createStructuredText();
  let strings: readonly string[] = [];
  let text: BiffText = createBiffText({ isWide: true, codePage: 1252 });
  let codePage = 1252;
  let isWide = true;
  let depth = 0;
  let sheetAt = -1;
  let sheet = createSheetWriter(out);
  const formatOf = (cell: number): string => {
    const code = formats.byCell[cell] ?? 0;
    return formats.codes.get(code) ?? String(code);
  };

  for (const record of readRecords(stream)) {
    const { type, data, parts } = record;
    if (out.isFull()) break;
    if (type === types.bof) {
      depth++;
      if (depth > 1) continue;
      const isGlobals = data.length >= 4 && data.readUInt16LE(2) === 5;
      if (isGlobals) {
        isWide = data.readUInt16LE(0) === biff8;
        text = createBiffText({ isWide, codePage });
      } else {
        const { name = '', isHidden = false } = sheets[++sheetAt] ?? {};
        sheet = createSheetWriter(out, isHidden);
        if (!isHidden && !unnamed.test(name)) out.heading(name);
      }
    } else if (type === types.eof) {
      depth--;
      if (depth === 0) sheet.finish();
    } else if (type === types.filePass) throw new Refused('encrypted');
    else if (depth > 1) continue;
    else if (type === types.codePage && data.length >= 2) {
      codePage = data.readUInt16LE(0);
      text = createBiffText({ isWide, codePage });
    } else if (type === types.date1904) formats.from1904 = data[0] === 1;
    else if (type === types.boundSheet && data.length > 7)
      sheets.push({ isHidden: (data[4] ?? 0) !== 0, name: text.short(data, 6) });
    else if (type === types.format && data.length > 3)
      formats.codes.set(data.readUInt16LE(0), isWide ? text.long(data, 2) : text.short(data, 2));
    else if (type === types.extendedFormat && data.length >= 4) formats.byCell.push(data.readUInt16LE(2));
    else if (type === types.sharedStrings) strings = text.shared(parts);
    else if (type === types.textObject) sheet.box(text.box(parts));
    else sheet.cell(record, { strings, text, formatOf, from1904: formats.from1904 });
  }
  sheet.finish();
  return readingOf(out.finish(), oleProperties(file), { ...page, fileType: 'xls' });
}
