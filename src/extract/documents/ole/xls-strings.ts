import { decodeCodePage } from '../code-page.ts';

export interface BiffText {
  /** A string with a length of one byte at `at`; with two bytes. */
  short(data: Buffer, at: number): string;
  long(data: Buffer, at: number): string;
  /** The shared strings of a workbook, over all parts of their record. */
  shared(parts: readonly Buffer[]): string[];
  /** The text of a text box, which stands in the record's first continuation. */
  box(parts: readonly Buffer[]): string;
}

const maxStrings = 2_000_000;

/** Reads strings as BIFF8 (`isWide`: a flag says one or two bytes a character) or BIFF5 (a code page) stores them. */
export function createBiffText({ isWide, codePage }: { isWide: boolean; codePage: number }): BiffText {
  const plain = (data: Buffer, at: number, length: number): string => {
    if (!isWide) return decodeCodePage(data.subarray(at, at + length), codePage);
    const flags = data[at] ?? 0;
    const from = at + 1 + ((flags & 8) === 0 ? 0 : 2) + ((flags & 4) === 0 ? 0 : 4);
    return characters(data, from, length, (flags & 1) === 1);
  };
  return {
    short: (data, at) => plain(data, at + 1, data[at] ?? 0),
    long: (data, at) => (at + 2 > data.length ? '' : plain(data, at + 2, data.readUInt16LE(at))),
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
 * [MS-XLS] 2.4.265. A string may go on in the next part, which then begins with a flag of its own for the width of its
 * characters; its formatting and its phonetic reading follow it and are passed over.
 */
function readShared(parts: readonly Buffer[]): string[] {
  let part = 0;
  let data = parts[0] ?? Buffer.alloc(0);
  let at = 8;
  const more = (): boolean => {
    const next = parts[++part];
    if (next === undefined) return false;
    data = next;
    at = 0;
    return true;
  };
  const skip = (bytes: number) => {
    for (let left = bytes; left > 0; ) {
      const here = Math.min(left, data.length - at);
      at += here;
      left -= here;
      if (left > 0 && !more()) return;
    }
  };
  const total = data.length < 8 ? 0 : Math.min(data.readUInt32LE(4), maxStrings);
  const strings: string[] = [];
  while (strings.length < total) {
    if (at >= data.length && !more()) break;
    if (at + 3 > data.length) break;
    let left = data.readUInt16LE(at);
    const flags = data[at + 2] ?? 0;
    at += 3;
    let isWide = (flags & 1) === 1;
    let trailing = 0;
    if ((flags & 8) !== 0 && at + 2 <= data.length) {
      trailing += data.readUInt16LE(at) * 4;
      at += 2;
    }
    if ((flags & 4) !== 0 && at + 4 <= data.length) {
      trailing += data.readUInt32LE(at);
      at += 4;
    }
    let text = '';
    while (left > 0) {
      const width = isWide ? 2 : 1;
      const here = Math.min(left, Math.floor((data.length - at) / width));
      text += characters(data, at, here, isWide);
      at += here * width;
      left -= here;
      if (left === 0) break;
      if (!more()) break;
      isWide = ((data[0] ?? 0) & 1) === 1;
      at = 1;
    }
    strings.push(text);
    skip(trailing);
  }
  return strings;
}
