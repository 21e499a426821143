import type { Piece } from './archive-bytes.ts';

/** What makes a record, or what was to come, unreadable; its text is for people. */
export class BrokenArchive extends Error {}

/** What comes after a record's block, which tells whether the block had its length. */
export type Ending =
  | 'record'
  /** Something else that should: an empty line, the end of a sound member or of the file. */
  | 'whole'
  | 'something else';

/** Reads the pieces of an archive, holding no more of them than was asked for. */
export interface ByteReader {
  /** Bytes that were read, and bytes that could not be, so far. */
  readonly position: number;
  /** Bytes of the file that could not be unpacked so far, and in how many places. */
  readonly gaps: { readonly bytes: number; readonly count: number };
  /** The last bytes from a member that is damaged somewhere, as `position`s. */
  readonly doubtful: { readonly start: number; readonly end: number; readonly why: string };
  /** Reads over line ends. False at the end of the stream. Throws `BrokenArchive` where bytes are missing. */
  skipLineEnds(): Promise<boolean>;
  /**
   * A record's version line and all up to an empty line, without it; line ends may lack their CR. Throws `BrokenArchive`
   * when no record begins here, no empty line comes within `maxBytes`, or bytes are missing.
   */
  head(maxBytes: number): Promise<string>;
  /** The next `count` bytes. Throws `BrokenArchive` when there are fewer, or a record begins in another member first. */
  take(count: number): Promise<Uint8Array>;
  /** Reads over the next `count` bytes. Throws as `take` does. */
  skip(count: number): Promise<void>;
  /** Reads over the line ends behind a block. Where bytes are missing, the next call throws. */
  ending(): Promise<Ending>;
  /** Gives bytes back that were read last. */
  unread(bytes: Uint8Array): void;
  /** Reads on to the beginning of a record. False at the end of the stream. */
  seekRecord(): Promise<boolean>;
}

const cr = 0x0d;
const lf = 0x0a;
const recordMark = Buffer.from('WARC/');
const versionLine = /^WARC\/\d{1,2}\.\d{1,2}[ \t]*\r?\n/;
/** Holds a version line. */
const versionBytes = 16;

export function createByteReader(source: AsyncIterable<Piece>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array();
  /** Where `held` ends, counted as `position` is. */
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
  /** Throws what was missing; reading goes on behind it. */
  const breakAtGap = (): never => {
    const why = gap?.why ?? 'cut short';
    gap = undefined;
    held = new Uint8Array();
    throw new BrokenArchive(why);
  };
  /** Throws what is wrong with the record that should begin here; the search for another one begins behind its first byte. */
  const breakHere = (why: string): never => {
    held = held.subarray(1);
    isLineStart = false;
    throw new BrokenArchive(why);
  };
  /** Drops `held` and gives it the next bytes; the bytes of a record in a member of its own are another's. */
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
        // A version line may go on in what comes next.
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

/** Where a record's version line begins, at the beginning of a line; undefined when none does. */
function indexOfRecord(bytes: Uint8Array, isLineStart: boolean): number | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let index = buffer.indexOf(recordMark); index >= 0; index = buffer.indexOf(recordMark, index + 1)) {
    const startsLine = index === 0 ? isLineStart : buffer[index - 1] === lf;
    if (startsLine && versionLine.test(buffer.toString('latin1', index, index + versionBytes))) return index;
  }
  return undefined;
}

/** Where the lines before the first empty line end, and where that line does; undefined when there is none. */
export function endOfHead(bytes: Uint8Array): { length: number; end: number } | undefined {
  for (let index = bytes.indexOf(lf); index >= 0; index = bytes.indexOf(lf, index + 1)) {
    const after = bytes[index + 1] === cr ? index + 2 : index + 1;
    if (bytes[after] === lf) return { length: index, end: after + 1 };
  }
  return undefined;
}
