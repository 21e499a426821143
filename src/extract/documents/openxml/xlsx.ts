import type { Reading } from '../../extracted.ts';
import { readingOf } from '../properties.ts';
import { createStructuredText, type StructuredText } from '../structured-text.ts';
import { attribute, walkXml } from '../xml.ts';
import type { ZipArchive } from '../zip.ts';
import { formatCell, isDateFormat } from './cell-format.ts';
import { writeFigures } from './chart.ts';
import { coreProperties, drawingParagraphs, mainPart, partText, relationshipsOf } from './opc.ts';

interface Book {
  readonly strings: readonly string[];
  /** By the index of a cell's style: its number format. */
  readonly formats: readonly string[];
  readonly from1904: boolean;
}

/** Default names of sheets in spreadsheet programs. */
export const unnamed =
  /^(?:sheet|feuil|feuille|tabelle|hoja|foglio|planilha|plan|folha|blad|ark|list|arkusz|munka|taul|лист|аркуш|φύλλο|工作表|表|시트|sayfa)\s*\d*$/i;
/** Maximum columns: a cell far to the right would need as many tabs. */
const maxColumns = 1000;

/**
 * Reads a spreadsheet package (ECMA-376 part 1, 18): its visible sheets in order, each with its name as a heading, a line
 * for each row with tabs between the cells, and the text of its drawings. Dates and percentages are formatted, other
 * numbers are as stored. Formulas have their last value.
 */
export function readXlsx(zip: ZipArchive, page: { readonly url: string; readonly now: number }): Reading {
  const part = mainPart(zip) ?? 'xl/workbook.xml';
  const relationships = relationshipsOf(zip, part);
  const targets = new Map(relationships.map(({ id, target }) => [id, target]));
  const partOf = (relationshipType: string) =>
    relationships.find(({ type }) => type === relationshipType)?.target;
  const { sheets, from1904 } = readWorkbook(partText(zip, part));
  const book: Book = {
    strings: readStrings(partText(zip, partOf('sharedStrings') ?? 'xl/sharedStrings.xml')),
    formats: readFormats(partText(zip, partOf('styles') ?? 'xl/styles.xml')),
    from1904,
  };
  const text = createStructuredText();
  for (const { name, id } of sheets) {
    const sheet = targets.get(id);
    if (sheet === undefined || text.isFull()) continue;
    targets.delete(id);
    if (!unnamed.test(name)) text.heading(name);
    writeSheet(partText(zip, sheet), book, text);
    for (const drawing of relationshipsOf(zip, sheet).filter(({ type }) => type === 'drawing')) {
      for (const paragraph of drawingParagraphs(partText(zip, drawing.target))) text.paragraph(paragraph);
      writeFigures(zip, relationshipsOf(zip, drawing.target), text);
    }
  }
  return readingOf(text.finish(), coreProperties(zip), { ...page, fileType: 'xlsx' });
}

function readWorkbook(xml: string): { sheets: { name: string; id: string }[]; from1904: boolean } {
  const sheets: { name: string; id: string }[] = [];
  let from1904 = false;
  walkXml(xml, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet' || /hidden/i.test(attributes.state ?? '')) return;
      sheets.push({ name: attributes.name ?? '', id: attribute(attributes, 'id') ?? '' });
    },
  });
  return { sheets, from1904 };
}

/** The shared strings, without their phonetic readings. */
function readStrings(xml: string): string[] {
  const strings: string[] = [];
  let text = '';
  let inText = false;
  let inReading = false;
  walkXml(xml, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') inReading = true;
      else if (name === 't') inText = !inReading;
    },
    text(piece) {
      if (inText) text += piece;
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'rPh') inReading = false;
      else if (name === 'si') strings.push(text);
    },
  });
  return strings;
}

function readFormats(xml: string): string[] {
  const custom = new Map<string, string>();
  const formats: string[] = [];
  let inCellFormats = false;
  walkXml(xml, {
    open(name, attributes) {
      if (name === 'numFmt') custom.set(attributes.numFmtId ?? '', attributes.formatCode ?? '');
      else if (name === 'cellXfs') inCellFormats = true;
      else if (name === 'xf' && inCellFormats) formats.push(attributes.numFmtId ?? '0');
    },
    close(name) {
      if (name === 'cellXfs') inCellFormats = false;
    },
  });
  return formats.map((id) => custom.get(id) ?? id);
}

function writeSheet(xml: string, book: Book, out: StructuredText): void {
  let row: string[] = [];
  let column = -1;
  let type = '';
  let format = '';
  let value = '';
  let inValue = false;
  let inReading = false;
  let isHidden = false;
  walkXml(xml, {
    open(name, attributes) {
      if (name === 'row') {
        row = [];
        column = -1;
        isHidden = attributes.hidden === '1' || attributes.hidden === 'true';
      } else if (name === 'c') {
        column = columnOf(attributes.r) ?? column + 1;
        type = attributes.t ?? 'n';
        format = book.formats[Number(attributes.s ?? 0)] ?? '0';
        value = '';
      } else if (name === 'v') inValue = true;
      else if (name === 'rPh') inReading = true;
      else if (name === 't') inValue = !inReading;
    },
    text(piece) {
      if (inValue) value += piece;
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'rPh') inReading = false;
      else if (name === 'row' && !isHidden) out.row(Array.from(row, (cell) => cell ?? ''));
      else if (name === 'c' && value !== '' && column < maxColumns)
        row[column] = shown(type, value, format, book);
    },
    done: out.isFull,
  });
}

function shown(type: string, value: string, format: string, { strings, from1904 }: Book): string {
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
  if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?Z?$/, '');
  if (type !== 'n' || (value.trim() === '' && !isDateFormat(format))) return value;
  return formatCell(Number(value), format, from1904) ?? value;
}

/** `BC12` is column 54. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
