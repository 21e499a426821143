/** The kind of a paragraph, by its style and its own properties. */
export interface DocParagraph {
  readonly isHeading: boolean;
  readonly isItem: boolean;
  readonly level: number;
  readonly isInTable: boolean;
  readonly endsRow: boolean;
}

export interface DocParagraphs {
  /** The paragraph whose mark is at this offset of the stream. */
  paragraphAt(offset: number): DocParagraph | undefined;
}

interface Run {
  readonly from: number;
  readonly until: number;
  readonly paragraph: DocParagraph;
}

const pageBytes = 512;
const maxPages = 50_000;
const listStyles = new Set([48, 49, 54, 55, 56, 57, 58, 59, 60, 61]);
const titleStyle = 62;

/** Reads the paragraph properties of a document ([MS-DOC] 2.8.27, 2.9.174); skips damaged pages of them. */
export function readDocParagraphs(main: Buffer, table: Buffer): DocParagraphs {
  const runs: Run[] = [];
  try {
    const kinds = readStyles(main, table);
    const tableStart = main.readUInt32LE(0x102);
    const count = Math.min(Math.floor((main.readUInt32LE(0x106) - 4) / 8), maxPages);
    for (let index = 0; index < count; index++) {
      const page = table.readUInt32LE(tableStart + (count + 1) * 4 + index * 4) & 0x3fffff;
      readPage(main.subarray(page * pageBytes, (page + 1) * pageBytes), kinds, runs);
    }
  } catch {
    // The properties before the damage are valid.
  }
  runs.sort((one, other) => one.from - other.from);
  return {
    paragraphAt(offset) {
      let low = 0;
      let high = runs.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((runs[middle]?.until ?? 0) <= offset) low = middle + 1;
        else high = middle;
      }
      const run = runs[low];
      return run !== undefined && run.from <= offset ? run.paragraph : undefined;
    },
  };
}

function readPage(page: Buffer, kinds: readonly number[], runs: Run[]): void {
  if (page.length < pageBytes) return;
  const count = page[pageBytes - 1] ?? 0;
  for (let index = 0; index < count && (count + 1) * 4 + index * 13 < pageBytes; index++) {
    const from = page.readUInt32LE(index * 4);
    const until = page.readUInt32LE(index * 4 + 4);
    const propertyOffset = (page[(count + 1) * 4 + index * 13] ?? 0) * 2;
    if (propertyOffset === 0) continue;
    const words = page[propertyOffset] ?? 0;
    const start = words === 0 ? propertyOffset + 2 : propertyOffset + 1;
    const length = words === 0 ? (page[propertyOffset + 1] ?? 0) * 2 : words * 2 - 1;
    if (start + 2 > pageBytes - 1) continue;
    const kind = kinds[page.readUInt16LE(start)] ?? 0;
    runs.push({ from, until, paragraph: readProperties(page.subarray(start + 2, start + length), kind) });
  }
}

/** Single property modifiers ([MS-DOC] 2.6.2): the size of an operand is in the top three bits of its code. */
function readProperties(list: Buffer, kind: number): DocParagraph {
  let isItem = listStyles.has(kind);
  let isHeading = (kind >= 1 && kind <= 9) || kind === titleStyle;
  let level = 0;
  let isInTable = false;
  let endsRow = false;
  for (let offset = 0; offset + 3 <= list.length; ) {
    const code = list.readUInt16LE(offset);
    const operand = list[offset + 2] ?? 0;
    if (code === 0x460b && offset + 4 <= list.length) isItem = list.readUInt16LE(offset + 2) !== 0;
    else if (code === 0x260a) level = operand;
    else if (code === 0x2640) isHeading = operand < 9;
    else if (code === 0x2416) isInTable = operand !== 0;
    else if (code === 0x2417) endsRow = operand !== 0;
    offset += 2 + operandBytes(code, list, offset + 2);
  }
  return { isHeading, isItem: isItem && !isHeading, level, isInTable, endsRow };
}

function operandBytes(code: number, list: Buffer, offset: number): number {
  switch (code >> 13) {
    case 0:
    case 1:
      return 1;
    case 3:
      return 4;
    case 6:
      return code === 0xd608 && offset + 2 <= list.length
        ? list.readUInt16LE(offset) + 1
        : (list[offset] ?? 0) + 1;
    case 7:
      return 3;
    default:
      return 2;
  }
}

/** The built-in identity of each style: 1 to 9 are the headings ([MS-DOC] 2.9.271, 2.9.260). */
function readStyles(main: Buffer, table: Buffer): number[] {
  const sheet = table.subarray(main.readUInt32LE(0xa2)).subarray(0, main.readUInt32LE(0xa6));
  const kinds: number[] = [];
  let offset = 2 + sheet.readUInt16LE(0);
  const count = sheet.readUInt16LE(2);
  for (let index = 0; index < count && offset + 2 <= sheet.length; index++) {
    const length = sheet.readUInt16LE(offset);
    kinds.push(length >= 2 && offset + 4 <= sheet.length ? sheet.readUInt16LE(offset + 2) & 0xfff : 0);
    offset += 2 + length + (length & 1);
  }
  return kinds;
}
