import type { Piece } from './piece.ts';

/** Makes a record or the rest of a member unreadable; its message is for people. */
export class BrokenArchive extends Error {}

/** What follows a record's block: it shows whether the block had the stated length. */
export type Ending =
  | 'record'
  /** Another proper ending: an empty line, the end of a sound member or of the file. */
  | 'whole'
  | 'something else';

/** Reads the pieces of an archive and holds no more of them than was requested. */
export interface ByteReader {
  /** Bytes so far, read and unreadable. */
  readonly position: number;
  /** Bytes of the file that could not be unpacked so far, and the number of gaps. */
  readonly gaps: { readonly bytes: number; readonly count: number };
  /** The last range of bytes from a damaged member, as `position`s. */
  readonly doubtful: { readonly start: number; readonly end: number; readonly why: string };
  /** Skips line ends. False at the end of the stream. Throws `BrokenArchive` where bytes are missing. */
  skipLineEnds(): Promise<boolean>;
  /**
   * A record's version line and headers, without the empty line at their end; line ends may lack their CR. Throws
   * `BrokenArchive` when no record begins here, no empty line comes within `maxBytes`, or bytes are missing.
   */
  head(maxBytes: number): Promise<string>;
  /** The next `count` bytes. Throws `BrokenArchive` when there are fewer, or a record begins in another member first. */
  take(count: number): Promise<Uint8Array>;
  /** Skips the next `count` bytes. Throws as `take` does. */
  skip(count: number): Promise<void>;
  /** Skips the line ends after a block. Where bytes are missing, the next call throws. */
  ending(): Promise<Ending>;
  /** Puts the bytes back that were read last. */
  unread(bytes: Uint8Array): void;
  /** Skips to the beginning of a record. False at the end of the stream. */
  seekRecord(): Promise<boolean>;
}

const cr = 0x0d;
const lf = 0x0a;
const recordMark = Buffer.from('WARC/');
const versionLine = /^WARC\/\d{1,2}\.\d{1,2}[ \t]*\r?\n/;
/** Maximum length of a version line. */
const versionBytes = 16;

export function createByteReader(source: AsyncIterable<Piece>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array();
  /** The end of `held`, as a `position`. */
  let received = 0;
  let isLineStart = true;
  let doubtful = { start: 0, end: 0, why: '' };
  let gap: { why: string } | undefined;
  const gaps = { bytes: 0, count: 0 };

  type Next = 'bytes' | 'record' | 'sound' | 'gap' | 'end';
  /** Adds the next bytes to `held`; `record` when they begin a member and a record. */
  const receive = async (): Promise<Next> => {
    if (gap !== undefined) return 'gap';
    const { done, value } = await pieces.next();
    if (done) return 'end';
    if (value.kind === 'sound') return 'sound';
    if (value.kind === 'gap') {
      gap = { why: value.why };
      gaps.bytes += value.lostBytes;
      gaps.count += 1;
      return 'gap';
    }
    const { bytes, startsMember, doubt } = value;
    const from = received;
    received += bytes.length;
    if (doubt !== undefined)
      doubtful = { start: startsMember ? from : doubtful.start, end: received, why: doubt };
    const startsRecord = startsMember && recordMark.equals(bytes.subarray(0, recordMark.length));
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    return startsRecord ? 'record' : 'bytes';
  };
  /** Throws the reason of the gap; reading goes on after it. */
  const breakAtGap = (): never => {
    const why = gap?.why ?? 'cut short';
    gap = undefined;
    held = new Uint8Array();
    throw new BrokenArchive(why);
  };
  /** Throws what is wrong with the record that should begin here; the search for the next one begins one byte later. */
  const breakHere = (why: string): never => {
    held = held.subarray(1);
    isLineStart = false;
    throw new BrokenArchive(why);
  };
  /** Replaces `held` by the next bytes. Throws when they begin another record in a member of its own. */
  const replaceHeld = async (): Promise<void> => {
    held = new Uint8Array();
    for (;;) {
      const next = await receive();
      if (next === 'bytes') return;
      if (next === 'record') {
        isLineStart = true;
        throw new BrokenArchive('cut short');
      }
      if (next !== 'sound') breakAtGap();
    }
  };

  return {
    get position() {
      return received - held.length;
    },
    gaps,
    get doubtful() {
      return doubtful;
    },
    async skipLineEnds() {
      isLineStart = true;
      for (;;) {
        const start = held.findIndex((byte) => byte !== cr && byte !== lf);
        held = start < 0 ? new Uint8Array() : held.subarray(start);
        if (held.length > 0) return true;
        const next = await receive();
        if (next === 'end') return false;
        if (next === 'gap') breakAtGap();
      }
    },
    async head(maxBytes) {
      for (;;) {
        const headEnd = endOfHead(held.subarray(0, maxBytes));
        if (headEnd !== undefined || held.length >= versionBytes)
          if (!versionLine.test(textOf(held.subarray(0, versionBytes)))) breakHere('not a WARC record');
        if (headEnd !== undefined) {
          const text = textOf(held.subarray(0, headEnd.length));
          held = held.subarray(headEnd.end);
          isLineStart = true;
          return text;
        }
        if (held.length >= maxBytes) breakHere('headers too long');
        const before = held.length;
        const next = await receive();
        if (next === 'record') {
          held = held.subarray(before);
          isLineStart = true;
          throw new BrokenArchive('cut short');
        }
        if (next === 'end' || next === 'gap') breakAtGap();
      }
    },
    async take(count) {
      const chunks: Uint8Array[] = [];
      for (let length = 0; ; ) {
        const chunk = held.subarray(0, count - length);
        chunks.push(chunk);
        length += chunk.length;
        held = held.subarray(chunk.length);
        if (length === count) return Buffer.concat(chunks);
        await replaceHeld();
      }
    },
    async skip(count) {
      for (let remaining = count; ; ) {
        const passed = Math.min(remaining, held.length);
        held = held.subarray(passed);
        remaining -= passed;
        if (remaining === 0) return;
        await replaceHeld();
      }
    },
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: every way in which a compressed stream can end
    async ending() {
      let lines = 0;
      for (;;) {
        let end = 0;
        for (; held[end] === cr || held[end] === lf; end++) if (held[end] === lf) lines++;
        held = held.subarray(end);
        isLineStart = lines > 0;
        if (held.length >= recordMark.length) {
          if (recordMark.equals(held.subarray(0, recordMark.length))) {
            isLineStart = true;
            return 'record';
          }
          return lines >= 2 ? 'whole' : 'something else';
        }
        const next = await receive();
        if (next === 'sound' || next === 'end')
          return held.length === 0 || lines >= 2 ? 'whole' : 'something else';
        if (next === 'gap') return lines >= 2 || gap?.why === 'cut short' ? 'whole' : 'something else';
      }
    },
    unread(bytes) {
      held = held.length === 0 ? bytes : Buffer.concat([bytes, held]);
      isLineStart = true;
    },
    async seekRecord() {
      for (;;) {
        const recordIndex = indexOfRecord(held, isLineStart);
        if (recordIndex !== undefined) {
          held = held.subarray(recordIndex);
          return true;
        }
        // A version line may continue in the next piece.
        const tail = held.subarray(Math.max(0, held.length - versionBytes));
        isLineStart = held.length <= versionBytes && isLineStart;
        held = tail;
        const next = await receive();
        if (next === 'end') {
          held = new Uint8Array();
          return false;
        }
        if (next === 'gap' || next === 'sound') {
          gap = undefined;
          held = new Uint8Array();
          isLineStart = true;
        } else if (next === 'record') {
          held = held.subarray(tail.length);
          isLineStart = true;
        }
      }
    },
  };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

/** The index of a record's version line, at the beginning of a line; undefined without one. */
function indexOfRecord(bytes: Uint8Array, isLineStart: boolean): number | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let index = buffer.indexOf(recordMark); index >= 0; index = buffer.indexOf(recordMark, index + 1)) {
    const startsLine = index === 0 ? isLineStart : buffer[index - 1] === lf;
    if (startsLine && versionLine.test(buffer.toString('latin1', index, index + versionBytes))) return index;
  }
  return undefined;
}

/** Where the lines before the first empty line end, and where that empty line ends; undefined without one. */
export function endOfHead(bytes: Uint8Array): { length: number; end: number } | undefined {
  for (let index = bytes.indexOf(lf); index >= 0; index = bytes.indexOf(lf, index + 1)) {
    const after = bytes[index + 1] === cr ? index + 2 : index + 1;
    if (bytes[after] === lf) return { length: index, end: after + 1 };
  }
  return undefined;
}
