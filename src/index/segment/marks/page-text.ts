import type { MarkedField } from '../../page-marks.ts';
import type { ByteSlabs } from './byte-slabs.ts';
import { RecordWriter } from './record-bytes.ts';

/** A text that is not ASCII has a checkpoint at each multiple of this many UTF-16 units. */
const checkpointUnits = 512;
const checkpointBytes = 4;

/** The lengths that are needed to read the texts of a page; `bytes` are those of UTF-8, the others UTF-16 units. */
export interface TextLengths {
  readonly headings: number;
  readonly headingsBytes: number;
  readonly body: number;
  readonly bodyBytes: number;
}

export interface WrittenText {
  /** The checkpoints of the headings, those of the body, the headings and the body. */
  readonly bytes: Uint8Array;
  readonly lengths: TextLengths;
}

const checkpoints = new RecordWriter();

/** A page's texts as they are stored. Lone surrogates, which UTF-8 cannot hold, are replaced. */
export function writePageText(headings: string, body: string, slabs: ByteSlabs): WrittenText {
  const headingsBytes = Buffer.byteLength(headings);
  const bodyBytes = Buffer.byteLength(body);
  const lengths = { headings: headings.length, headingsBytes, body: body.length, bodyBytes };
  checkpoints.end = 0;
  addCheckpoints(headings, headingsBytes, checkpoints);
  addCheckpoints(body, bodyBytes, checkpoints);
  const bytes = slabs.add(checkpoints.end + headingsBytes + bodyBytes);
  bytes.set(checkpoints.bytes.subarray(0, checkpoints.end));
  bytes.write(headings, checkpoints.end);
  bytes.write(body, checkpoints.end + headingsBytes);
  return { bytes, lengths };
}

/**
 * A checkpoint is the byte offset of the character that holds the unit, doubled, and one more if the unit is the second
 * half of the character.
 */
function addCheckpoints(text: string, byteLength: number, into: RecordWriter): void {
  if (byteLength === text.length) return;
  let offset = 0;
  let byteOffset = 0;
  for (let unit = checkpointUnits; unit < text.length; unit += checkpointUnits) {
    const isSecondHalf = (text.codePointAt(unit - 1) ?? 0) > 0xffff;
    const end = isSecondHalf ? unit - 1 : unit;
    byteOffset += Buffer.byteLength(text.slice(offset, end));
    offset = end;
    into.uint32(2 * byteOffset + (isSecondHalf ? 1 : 0));
  }
}

function checkpointsOf(units: number, byteLength: number): number {
  return byteLength === units ? 0 : Math.floor(Math.max(0, units - 1) / checkpointUnits);
}

/** One text among the bytes of a segment: where its bytes and its checkpoints begin. */
export interface LocatedText {
  readonly checkpoints: number;
  readonly start: number;
  readonly byteLength: number;
  readonly length: number;
}

/** Where a text is of a record that begins at `start`. */
export function locateText(start: number, lengths: TextLengths, field: MarkedField): LocatedText {
  const { headings, headingsBytes, body, bodyBytes } = lengths;
  const ofBody = start + checkpointBytes * checkpointsOf(headings, headingsBytes);
  const first = ofBody + checkpointBytes * checkpointsOf(body, bodyBytes);
  return field === 'headings'
    ? { checkpoints: start, start: first, byteLength: headingsBytes, length: headings }
    : { checkpoints: ofBody, start: first + headingsBytes, byteLength: bodyBytes, length: body };
}

/** The part of a text between two offsets in UTF-16 units, as `slice` with offsets of at least 0 gives it. */
export function readText(bytes: Buffer, text: LocatedText, from: number, to: number): string {
  const { start, byteLength, length } = text;
  const end = Math.min(to, length);
  if (from >= end) return '';
  if (byteLength === length) return bytes.toString('latin1', start + from, start + end);
  const first = characterAt(bytes, text, from);
  const last = characterAt(bytes, text, end, { character: first, unit: from });
  const lastByte = last.isSecondHalf ? last.offset + 4 : last.offset;
  const characters = bytes.toString('utf8', first.offset, lastByte);
  const skipped = first.isSecondHalf ? 1 : 0;
  return characters.slice(skipped, skipped + end - from);
}

interface Character {
  /** The offset of its first byte. */
  readonly offset: number;
  readonly isSecondHalf: boolean;
}

/** A character and the unit of the text that it holds. */
interface Known {
  readonly character: Character;
  readonly unit: number;
}

/** The character that holds a unit of a text, or the end of the text. A character before it that is known is a nearer start. */
function characterAt(bytes: Buffer, text: LocatedText, unit: number, known?: Known): Character {
  // Lengths may be forged.
  const end = Math.min(text.start + text.byteLength, bytes.length);
  if (unit >= text.length) return { offset: end, isSecondHalf: false };
  const index = Math.floor(unit / checkpointUnits);
  const checkpoint = checkpointAt(bytes, text, index);
  let offset = text.start + Math.floor(checkpoint / 2);
  let next = index * checkpointUnits - (checkpoint % 2);
  // As many bytes as units up to the next checkpoint are ASCII.
  if (checkpointAt(bytes, text, index + 1) - checkpoint === 2 * checkpointUnits) {
    const ofUnit = offset + unit - next;
    return { offset: Math.min(ofUnit, end), isSecondHalf: false };
  }
  if (known && known.unit > next) {
    offset = known.character.offset;
    next = known.unit - (known.character.isSecondHalf ? 1 : 0);
  }
  while (offset < end) {
    const lead = bytes[offset] as number;
    const units = lead >= 0xf0 ? 2 : 1;
    if (next + units > unit) return { offset, isSecondHalf: next < unit };
    next += units;
    offset += lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  }
  return { offset: end, isSecondHalf: false };
}

/** The checkpoint at the beginning of a block of units; 0 at the beginning and after the last one. */
function checkpointAt(bytes: Buffer, { checkpoints: first, length }: LocatedText, index: number): number {
  const address = first + checkpointBytes * (index - 1);
  const isWritten =
    index > 0 && index * checkpointUnits < length && address + checkpointBytes <= bytes.length;
  return isWritten ? bytes.readUInt32LE(address) : 0;
}
