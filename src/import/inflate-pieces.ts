import { createInflateRaw, type InflateRaw } from 'node:zlib';
import type { ReadAt } from './gzip-member.ts';

export type InflateEnd =
  /** `next`: the offset after the stream. */
  { readonly kind: 'ended'; readonly next: number } | { readonly kind: 'broken'; readonly why: string };

/** Packed bytes per step. They may unpack to a thousand times as much, which is held in memory. */
const stepBytes = 16 * 1024;

/**
 * Unpacks one deflate stream (RFC 1951) from an offset of a file on. Of a damaged stream, everything that can be unpacked
 * comes before it ends as `broken`: the failed step is repeated byte by byte, because zlib drops the output of a failed
 * step.
 */
export async function* inflatePieces(read: ReadAt, from: number): AsyncGenerator<Uint8Array, InflateEnd> {
  const first = openInflater();
  let given = 0;
  for (let offset = from; ; ) {
    const packed = await read(offset, stepBytes);
    if (packed.length === 0) return { kind: 'broken', why: 'cut short' };
    const { output, end } = await first.feed(packed);
    if (end === 'broken') return yield* salvage(read, from, { until: offset, given });
    for (const bytes of output) {
      given += bytes.length;
      yield bytes;
    }
    if (end === 'ended') return { kind: 'ended', next: from + first.taken() };
    offset += packed.length;
  }
}

/** Unpacks again up to the failed step, and from there byte by byte; skips the `given` bytes, which came already. */
async function* salvage(
  read: ReadAt,
  from: number,
  { until, given }: { readonly until: number; readonly given: number },
): AsyncGenerator<Uint8Array, InflateEnd> {
  const again = openInflater();
  let toSkip = given;
  for (let offset = from; ; ) {
    const packed = await read(offset, offset < until ? Math.min(stepBytes, until - offset) : stepBytes);
    const steps = offset < until ? [packed] : Array.from(packed, (_, n) => packed.subarray(n, n + 1));
    for (const step of steps) {
      const { output, end } = await again.feed(step);
      for (const bytes of output) {
        const fresh = bytes.subarray(Math.min(toSkip, bytes.length));
        toSkip -= bytes.length - fresh.length;
        if (fresh.length > 0) yield fresh;
      }
      if (end !== 'more') return { kind: 'broken', why: 'damaged compression' };
    }
    if (packed.length === 0) return { kind: 'broken', why: 'cut short' };
    offset += packed.length;
  }
}

interface Fed {
  readonly output: readonly Uint8Array[];
  readonly end: 'more' | 'ended' | 'broken';
}

/** A zlib stream that is fed step by step and holds the output of one step. */
function openInflater(): { feed(packed: Uint8Array): Promise<Fed>; taken(): number } {
  const inflater: InflateRaw = createInflateRaw();
  let output: Uint8Array[] = [];
  let fedBytes = 0;
  let isBroken = false;
  let isEnded = false;
  inflater.on('data', (bytes: Uint8Array) => output.push(bytes));
  inflater.once('end', () => {
    isEnded = true;
  });
  const broken = new Promise<void>((resolve) => {
    inflater.once('error', () => {
      isBroken = true;
      resolve();
    });
  });
  return {
    async feed(packed) {
      fedBytes += packed.length;
      // After the end of its stream, zlib ignores further input.
      const written = new Promise<void>((resolve) => inflater.write(packed, () => resolve()));
      if (!isEnded) await Promise.race([written, broken]);
      const unpacked = output;
      output = [];
      if (isBroken) return { output: unpacked, end: 'broken' };
      return { output: unpacked, end: isEnded || inflater.bytesWritten < fedBytes ? 'ended' : 'more' };
    },
    taken: () => inflater.bytesWritten,
  };
}
