import { constants, inflateRawSync } from 'node:zlib';
import { headerLength, type ReadAt, unpackAtOnce } from './gzip-member.ts';

const scanBytes = 256 * 1024;
/** Bytes that look like a header are one in 100 million by chance; a file full of them is not tried for ever. */
const maxTrials = 20_000;
/** Of a candidate, for its first words. */
const trialBytes = 512;
const maxTrialOutput = 1024 * 1024;
const recordStart = Buffer.from('WARC/');

/**
 * Where the next member begins that starts with a WARC record, or that is whole and not very long; undefined when there
 * is none.
 */
export async function nextMember(read: ReadAt, from: number, size: number): Promise<number | undefined> {
  let trials = 0;
  for (let windowStart = from; windowStart < size; ) {
    const window = Buffer.from(await read(windowStart, scanBytes));
    let index = window.indexOf(magic);
    for (; index >= 0; index = window.indexOf(magic, index + 1)) {
      const candidate = await read(windowStart + index, scanBytes);
      const start = headerLength(candidate);
      if (start === undefined) continue;
      if (++trials > maxTrials) return undefined;
      if (startsRecord(candidate, start) || unpackAtOnce(candidate, start) !== undefined)
        return windowStart + index;
    }
    // The magic bytes may lie across two windows.
    windowStart += Math.max(1, window.length - magic.length + 1);
  }
  return undefined;
}

const magic = Buffer.from([0x1f, 0x8b, 8]);

function startsRecord(bytes: Uint8Array, start: number): boolean {
  try {
    const text = inflateRawSync(bytes.subarray(start, start + trialBytes), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: maxTrialOutput,
    });
    return text.subarray(0, recordStart.length).equals(recordStart);
  } catch {
    return false;
  }
}
