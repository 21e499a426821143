import { constants, inflateRawSync } from 'node:zlib';
import { headerLength, type ReadAt, unpackAtOnce } from './gzip-member.ts';

const scanBytes = 256 * 1024;
/** By chance, one in 100 million bytes looks like a header; the limit ends the search in a file full of them. */
const maxTrials = 20_000;
/** Bytes of a candidate that are unpacked to see its first words. */
const trialBytes = 512;
const maxTrialOutput = 1024 * 1024;
const recordStart = Buffer.from('WARC/');

/**
 * The offset of the next member that starts with a WARC record, or that is sound and short; undefined without one.
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
    // The magic bytes may cross the border of two windows.
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
