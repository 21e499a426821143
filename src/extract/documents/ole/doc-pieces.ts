import { decodeWindows1252 } from '../../encoding/windows-1252.ts';
import { Refused } from '../refused.ts';

/** A run of text, and where in the stream its first character stands. */
export interface DocPiece {
  readonly text: string;
  readonly offset: number;
  readonly bytesPerCharacter: 1 | 2;
}

/** Where the header has the lengths of the parts of the text, in characters, in the order in which they follow. */
const parts = [
  { at: 0x4c, isRead: true },
  { at: 0x50, isRead: true },
  { at: 0x54, isRead: false },
  { at: 0x58, isRead: false },
  { at: 0x5c, isRead: false },
  { at: 0x60, isRead: true },
  { at: 0x64, isRead: true },
];
const maxPieces = 200_000;

/** The text of the parts that are read, by the piece table ([MS-DOC] 2.4.1, 2.8.35). */
export function readDocPieces(main: Buffer, table: Buffer): DocPiece[][] {
  const { starts, places } = pieceTable(main, table);
  const read: DocPiece[][] = [];
  let from = 0;
  for (const { at, isRead } of parts) {
    const until = from + main.readInt32LE(at);
    if (isRead && until > from) read.push(cut(main, starts, places, from, until));
    from = Math.max(from, until);
  }
  return read;
}

function pieceTable(main: Buffer, table: Buffer): { starts: number[]; places: number[] } {
  const clx = table.subarray(main.readUInt32LE(0x1a2)).subarray(0, main.readUInt32LE(0x1a6));
  let at = 0;
  while (clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1);
  if (clx[at] !== 2) throw new Refused('damaged file');
  const count = Math.floor((clx.readUInt32LE(at + 1) - 4) / 12);
  if (count < 1 || count > maxPieces || at + 5 + (count + 1) * 4 + count * 8 > clx.length)
    throw new Refused('damaged file');
  const starts: number[] = [];
  const places: number[] = [];
  for (let index = 0; index <= count; index++) starts.push(clx.readUInt32LE(at + 5 + index * 4));
  for (let index = 0; index < count; index++)
    places.push(clx.readUInt32LE(at + 5 + (count + 1) * 4 + index * 8 + 2));
  return { starts, places };
}

function cut(
  main: Buffer,
  starts: readonly number[],
  places: readonly number[],
  from: number,
  until: number,
): DocPiece[] {
  const pieces: DocPiece[] = [];
  for (const [index, place] of places.entries()) {
    const first = Math.max(from, starts[index] ?? 0);
    const last = Math.min(until, starts[index + 1] ?? 0);
    if (first >= last) continue;
    // Bit 30 says: one byte a character, and the place counts in halves.
    const bytesPerCharacter = (place & 0x40000000) === 0 ? 2 : 1;
    const base = (place & 0x3fffffff) / (bytesPerCharacter === 1 ? 2 : 1);
    const offset = base + (first - (starts[index] ?? 0)) * bytesPerCharacter;
    const bytes = main.subarray(offset, offset + (last - first) * bytesPerCharacter);
    const text = bytesPerCharacter === 2 ? bytes.toString('utf16le') : decodeWindows1252(bytes);
    pieces.push({ text, offset, bytesPerCharacter });
  }
  return pieces;
}
