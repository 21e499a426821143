import { formatCell } from '../openxml/cell-format.ts';
import type { StructuredText } from '../structured-text.ts';
import type { BiffRecord } from './xls-records.ts';
import type { BiffText } from './xls-strings.ts';

export interface CellContext {
  readonly strings: readonly string[];
  readonly text: BiffText;
  readonly formatOf: (cellFormat: number) => string;
  readonly from1904: boolean;
}

export interface SheetWriter {
  /** Takes a record with one or more cells; ignores any other. */
  cell(record: BiffRecord, context: CellContext): void;
  box(text: string): void;
  /** Writes the rows and then the boxes; a second call does nothing. */
  finish(): void;
}

/** Record types of cells ([MS-XLS] 2.3.2). */
const types = {
  formula: 0x06,
  multipleRk: 0xbd,
  richString: 0xd6,
  sharedString: 0xfd,
  number: 0x203,
  label: 0x204,
  boolean: 0x205,
  formulaString: 0x207,
  rk: 0x27e,
} as const;
const maxCells = 1_000_000;
const maxColumns = 1000;

/** Collects the cells of one sheet, which are stored in blocks of rows, and writes its rows from top to bottom. */
export function createSheetWriter(out: StructuredText, isHidden = false): SheetWriter {
  const rows = new Map<number, string[]>();
  const boxes: string[] = [];
  let cells = 0;
  let formula: { row: number; column: number } | undefined;

  const put = (row: number, column: number, text: string) => {
    if (isHidden || text === '' || column >= maxColumns || ++cells > maxCells) return;
    const line = rows.get(row) ?? [];
    line[column] = text;
    rows.set(row, line);
  };
  const numbers = ({ formatOf, from1904 }: CellContext, value: number, format: number): string =>
    formatCell(value, formatOf(format), from1904) ?? '';

  return {
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: flat: a case for each record type, in the order of the format's own table
    cell({ type, data }, context) {
      if (data.length < 6) {
        if (type === types.formulaString && formula)
          put(formula.row, formula.column, context.text.long(data, 0));
        return;
      }
      const row = data.readUInt16LE(0);
      const column = data.readUInt16LE(2);
      const format = data.readUInt16LE(4);
      if (type === types.formulaString) {
        if (formula) put(formula.row, formula.column, context.text.long(data, 0));
      } else if (type === types.sharedString && data.length >= 10)
        put(row, column, context.strings[data.readUInt32LE(6)] ?? '');
      else if (type === types.label || type === types.richString)
        put(row, column, context.text.long(data, 6));
      else if (type === types.number && data.length >= 14)
        put(row, column, numbers(context, data.readDoubleLE(6), format));
      else if (type === types.rk && data.length >= 10)
        put(row, column, numbers(context, rkValue(data.readUInt32LE(6)), format));
      else if (type === types.multipleRk) {
        for (let offset = 4, next = column; offset + 8 <= data.length; offset += 6, next++)
          put(row, next, numbers(context, rkValue(data.readUInt32LE(offset + 2)), data.readUInt16LE(offset)));
      } else if (type === types.boolean && data.length >= 8 && data[7] === 0)
        put(row, column, data[6] === 1 ? 'TRUE' : 'FALSE');
      else if (type === types.formula && data.length >= 14) {
        formula = { row, column };
        // A result that is no number ends in 0xffff; text follows in a separate record.
        if (data.readUInt16LE(12) !== 0xffff)
          put(row, column, numbers(context, data.readDoubleLE(6), format));
        else if (data[6] === 1) put(row, column, data[8] === 1 ? 'TRUE' : 'FALSE');
      }
    },
    box: (text) => {
      if (!isHidden && text.trim() !== '') boxes.push(text);
    },
    finish() {
      for (const [, line] of [...rows].sort(([one], [other]) => one - other))
        out.row(Array.from(line, (cell) => cell ?? ''));
      for (const box of boxes) out.paragraph(box);
      rows.clear();
      boxes.length = 0;
    },
  };
}

/** [MS-XLS] 2.5.217: 30 bits of a whole number or of a double's upper half, perhaps times a hundred. */
function rkValue(rk: number): number {
  const isHundredfold = (rk & 1) === 1;
  let value = rk >> 2;
  if ((rk & 2) === 0) {
    const double = Buffer.alloc(8);
    double.writeUInt32LE((rk & 0xfffffffc) >>> 0, 4);
    value = double.readDoubleLE(0);
  }
  return isHundredfold ? value / 100 : value;
}
