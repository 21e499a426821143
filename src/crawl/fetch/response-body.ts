import type { Readable, Transform } from 'node:stream';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { unpackUpTo } from './unpack-up-to.ts';

/** The limits of reading a response body. */
export interface BodyLimits {
  /** After decompression. */
  readonly maxBytes: number;
  /** Cut at `maxBytes` instead of refusing a longer body. */
  readonly truncate: boolean;
}

export type Body =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly why: string };

const tooLarge: Body = { kind: 'refused', why: 'too large' };

const inflate = promisify(zlib.inflate);
const inflateRaw = promisify(zlib.inflateRaw);
const gunzip = promisify(zlib.gunzip);
const brotliDecompress = promisify(zlib.brotliDecompress);

/**
 * Reads a response's body and decodes its `Content-Encoding` (gzip, deflate with or without its header, br, in any
 * order). Holds at most the limit, compressed or not. A body that ends early gives the part that came. Rejects when the
 * stream fails.
 */
export async function readBody(body: Readable, contentEncoding: string, limits: BodyLimits): Promise<Body> {
  const codings = contentEncoding
    .split(/[,\n]/)
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();
  if (codings.length > 2) return { kind: 'refused', why: 'unknown content encoding' };
  const received = await readUpTo(body, limits);
  if (received === null) return tooLarge;
  let bytes = received;
  for (const coding of codings) {
    if (bytes.length === 0) break;
    const unpacked = await unpack(coding, bytes, limits);
    if (unpacked.kind === 'refused') return unpacked;
    bytes = unpacked.bytes;
  }
  return { kind: 'bytes', bytes: bytes.subarray(0, limits.maxBytes) };
}

async function readUpTo(body: Readable, { maxBytes, truncate }: BodyLimits): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop destroys the stream and its connection.
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) {
      if (!truncate) return null;
      break;
    }
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

async function unpack(coding: string, bytes: Uint8Array, limits: BodyLimits): Promise<Body> {
  const maxOutputLength = limits.maxBytes;
  const options = { maxOutputLength, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  const upToLimit = async (unpacker: Transform): Promise<Body> => {
    return { kind: 'bytes', bytes: await unpackUpTo(unpacker, bytes, limits.maxBytes) };
  };
  try {
    switch (coding) {
      case 'gzip':
      case 'x-gzip':
        if (limits.truncate) return await upToLimit(zlib.createGunzip(options));
        return { kind: 'bytes', bytes: await gunzip(bytes, options) };
      case 'deflate':
        if (limits.truncate)
          return await upToLimit(
            (hasZlibHeader(bytes) ? zlib.createInflate : zlib.createInflateRaw)(options),
          );
        return { kind: 'bytes', bytes: await (hasZlibHeader(bytes) ? inflate : inflateRaw)(bytes, options) };
      case 'br': {
        const finishFlush = zlib.constants.BROTLI_OPERATION_FLUSH;
        if (limits.truncate) return await upToLimit(zlib.createBrotliDecompress({ finishFlush }));
        return { kind: 'bytes', bytes: await brotliDecompress(bytes, { maxOutputLength, finishFlush }) };
      }
      default:
        return { kind: 'refused', why: 'unknown content encoding' };
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge : { kind: 'refused', why: 'damaged content encoding' };
  }
}

/** RFC 1950 section 2.2; some servers send bare RFC 1951 data as `deflate`. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes;
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}
