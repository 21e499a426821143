import { Readable, type Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The first `maxBytes` of unpacked gzip data; of damaged data, the part before the damage. */
export async function gunzipUpTo(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await unpackInto(chunks, createGunzip(), bytes, maxBytes).catch(() => {});
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/** The same by any unpacking stream, which it ends. Holds no more than it gives; rejects on damaged data. */
export async function unpackUpTo(
  unpacker: Transform,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await unpackInto(chunks, unpacker, bytes, maxBytes);
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

async function unpackInto(
  chunks: Uint8Array[],
  unpacker: Transform,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<void> {
  let length = 0;
  // Leaving the loop ends the stream.
  for await (const chunk of Readable.from([bytes]).pipe(unpacker) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) return;
  }
}
