import { decodeWindows1252 } from '../../encoding/windows-1252.ts';
import { RefusedDocument } from '../refused.ts';

/** A run of text, and the offset of its first character in the stream. */
export interface DocPiece {
  readonly text: string;
  readonly offset: number;
  readonly bytesPerCharacter: 1 | 2;
}

/** Offsets in the header of the lengths of the text's parts, in characters, in the order of the parts. */
const parts = [
  { lengthOffset: 0x4c, isRead: true },
  { lengthOffset: 0x50, isRead: true },
  { lengthOffset: 0x54, isRead: false },
  { lengthOffset: 0x58, isRead: false },
  { lengthOffset: 0x5c, isRead: false },
  { lengthOffset: 0x60, isRead: true },
  { lengthOffset: 0x64, isRead: true },
];
const maxPieces = 200_000;

/** The text of the selected parts, by the piece table ([MS-DOC] 2.4.1, 2.8.35). */
export function readDocPieces(main: Buffer, table: Buffer): DocPiece[][] {
  const { starts, positions } = pieceTable(main, table);
  const partTexts: DocPiece[][] = [];
  let from = 0;
  for (const { lengthOffset, isRead } of parts) {
    const until = from + main.readInt32LE(lengthOffset);
    if (isRead && until > from) partTexts.push(cut(main, starts, positions, from, until));
    from = Math.max(from, until);
  }
  return partTexts;
}

function pieceTable(main: Buffer, table: Buffer): { starts: number[]; positions: number[] } {
  const clx = table.subarray(main.readUInt32LE(0x1a2)).subarray(0, main.readUInt32LE(0x1a6));
  let offset = 0;
  while (clx[offset] === 1) offset += 3 + clx.readUInt16LE(offset + 1);
  if (clx[offset] !== 2) throw new RefusedDocument('damaged file');
  const count = Math.floor((clx.readUInt32LE(offset + 1) - 4) / 12);
  if (count < 1 || count > maxPieces || offset + 5 + (count + 1) * 4 + count * 8 > clx.length)
    throw new RefusedDocument('damaged file');
  const starts: number[] = [];
  const positions: number[] = [];
  for (let index = 0; index <= count; index++) starts.push(clx.readUInt32LE(offset + 5 + index * 4));
  for (let index = 0; index < count; index++)
    positions.push(clx.readUInt32LE(offset + 5 + (count + 1) * 4 + index * 8 + 2));
  return { starts, positions };
}

function cut(
  main: Buffer,
  starts: readonly number[],
  positions: readonly number[],
  from: number,
  until: number,
): DocPiece[] {
  const pieces: DocPiece[] = [];
  for (const [index, position] of positions.entries()) {
    const first = Math.max(from, starts[index] ?? 0);
    const last = Math.min(until, starts[index + 1] ?? 0);
    if (first >= last) continue;
    // Bit 30: one byte a character, and the position counts half bytes.
    const bytesPerCharacter = (position & 0x40000000) === 0 ? 2 : 1;
    const base = (position & 0x3fffffff) / (bytesPerCharacter === 1 ? 2 : 1);
    const offset = base + (first - (starts[index] ?? 0)) * bytesPerCharacter;
    const bytes = main.subarray(offset, offset + (last - first) * bytesPerCharacter);
    const text = bytesPerCharacter === 2 ? bytes.toString('utf16le') : decodeWindows1252(bytes);
    pieces.push({ text, offset, bytesPerCharacter });
  }
  return pieces;
}
