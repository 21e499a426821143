import { crc32, inflateRawSync } from 'node:zlib';

/** Up to `length` bytes of a file from an offset on; fewer at its end. */
export type ReadAt = (from: number, length: number) => Promise<Uint8Array>;

/** Checksum and length, after a member's data. */
export const trailerBytes = 8;
/** Maximum unpacked size of a member that is unpacked in one call. */
const maxAtOnce = 4 * 1024 * 1024;

const [extraFlag, nameFlag, commentFlag, checksumFlag, reservedFlags] = [4, 8, 16, 2, 0xe0];

/** The length of the header of the gzip member that begins here (RFC 1952 section 2.3); undefined without one. */
export function headerLength(bytes: Uint8Array): number | undefined {
  const flags = bytes[3] ?? 0xff;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8 || (flags & reservedFlags) !== 0)
    return undefined;
  let offset = 10;
  if (flags & extraFlag) offset += 2 + (bytes[offset] ?? 0) + 256 * (bytes[offset + 1] ?? 0);
  for (const flag of [nameFlag, commentFlag]) {
    if ((flags & flag) === 0) continue;
    const end = bytes.indexOf(0, offset);
    if (end < 0) return undefined;
    offset = end + 1;
  }
  if (flags & checksumFlag) offset += 2;
  return offset;
}

/** A whole sound member at the beginning of `window`; undefined when it is damaged, or too long. */
export function unpackAtOnce(
  window: Uint8Array,
  start: number,
): { readonly bytes: Uint8Array; readonly length: number } | undefined {
  try {
    const options = { info: true, maxOutputLength: maxAtOnce };
    const unpacked = inflateRawSync(window.subarray(start), options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    const end = start + unpacked.engine.bytesWritten;
    const trailer = window.subarray(end, end + trailerBytes);
    const { buffer: bytes } = unpacked;
    if (trailer.length < trailerBytes || !isTrailerOf(trailer, crc32(bytes), bytes.length)) return undefined;
    return { bytes, length: end + trailerBytes };
  } catch {
    return undefined;
  }
}

/** Whether a member's trailer matches the unpacked data. */
export function isTrailerOf(trailer: Uint8Array, checksum: number, length: number): boolean {
  const view = new DataView(trailer.buffer, trailer.byteOffset, trailerBytes);
  return view.getUint32(0, true) === checksum && view.getUint32(4, true) === length % 2 ** 32;
}
