import { decodeCodePage } from '../code-page.ts';

export interface BiffText {
  /** A string at `offset`, with a length of one byte; with a length of two bytes. */
  short(data: Buffer, offset: number): string;
  long(data: Buffer, offset: number): string;
  /** The shared strings of a workbook, over all parts of their record. */
  shared(parts: readonly Buffer[]): string[];
  /** The text of a text box, which is in the record's first continuation. */
  box(parts: readonly Buffer[]): string;
}

const maxStrings = 2_000_000;

/** Reads strings as BIFF8 (`isWide`: a flag says one or two bytes a character) or BIFF5 (a code page) stores them. */
export function createBiffText({ isWide, codePage }: { isWide: boolean; codePage: number }): BiffText {
  const plain = (data: Buffer, offset: number, length: number): string => {
    if (!isWide) return decodeCodePage(data.subarray(offset, offset + length), codePage);
    const flags = data[offset] ?? 0;
    const from = offset + 1 + ((flags & 8) === 0 ? 0 : 2) + ((flags & 4) === 0 ? 0 : 4);
    return characters(data, from, length, (flags & 1) === 1);
  };
  return {
    short: (data, offset) => plain(data, offset + 1, data[offset] ?? 0),
    long: (data, offset) =>
      offset + 2 > data.length ? '' : plain(data, offset + 2, data.readUInt16LE(offset)),
    shared: readShared,
    box(parts) {
      const [head, text] = parts;
      if (!isWide || head === undefined || head.length < 12 || text === undefined) return '';
      return characters(text, 1, head.readUInt16LE(10), ((text[0] ?? 0) & 1) === 1);
    },
  };
}

function characters(data: Buffer, from: number, length: number, isWide: boolean): string {
  return isWide
    ? data.toString('utf16le', from, Math.min(data.length, from + length * 2))
    : data.toString('latin1', from, Math.min(data.length, from + length));
}

/**
 * [MS-XLS] 2.4.265. A string may continue in the next part, which then begins with its own flag for the width of its
 * characters. Skips the formatting and the phonetic reading after each string.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a string may go on in the next record at any character
function readShared(parts: readonly Buffer[]): string[] {
  let part = 0;
  let data = parts[0] ?? Buffer.alloc(0);
  let offset = 8;
  const more = (): boolean => {
    const next = parts[++part];
    if (next === undefined) return false;
    data = next;
    offset = 0;
    return true;
  };
  const skip = (bytes: number) => {
    for (let remaining = bytes; remaining > 0; ) {
      const here = Math.min(remaining, data.length - offset);
      offset += here;
      remaining -= here;
      if (remaining > 0 && !more()) return;
    }
  };
  const total = data.length < 8 ? 0 : Math.min(data.readUInt32LE(4), maxStrings);
  const strings: string[] = [];
  while (strings.length < total) {
    if (offset >= data.length && !more()) break;
    if (offset + 3 > data.length) break;
    let remaining = data.readUInt16LE(offset);
    const flags = data[offset + 2] ?? 0;
    offset += 3;
    let isWide = (flags & 1) === 1;
    let trailing = 0;
    if ((flags & 8) !== 0 && offset + 2 <= data.length) {
      trailing += data.readUInt16LE(offset) * 4;
      offset += 2;
    }
    if ((flags & 4) !== 0 && offset + 4 <= data.length) {
      trailing += data.readUInt32LE(offset);
      offset += 4;
    }
    let text = '';
    while (remaining > 0) {
      const width = isWide ? 2 : 1;
      const here = Math.min(remaining, Math.floor((data.length - offset) / width));
      text += characters(data, offset, here, isWide);
      offset += here * width;
      remaining -= here;
      if (remaining === 0) break;
      if (!more()) break;
      isWide = ((data[0] ?? 0) & 1) === 1;
      offset = 1;
    }
    strings.push(text);
    skip(trailing);
  }
  return strings;
}
