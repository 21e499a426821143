const minMatchBytes = 4;

/**
 * Decompresses one LZ4 block with a dictionary (lz4_Block_format.md of the LZ4 project) to exactly `length` bytes;
 * undefined if the result has another length. No read or write is outside the buffers, for any block.
 */
export function unpackLz4(block: Buffer, length: number, dictionary: Buffer): Buffer | undefined {
  // One byte of a block expands to at most 255 bytes.
  if (length > block.length * 255 + 64) return undefined;
  const out = Buffer.allocUnsafe(length);
  let from = 0;
  let to = 0;
  const lengthAt = (nibble: number): number => {
    let sum = nibble;
    if (nibble !== 15) return sum;
    for (let byte = 255; byte === 255; sum += byte) {
      if (from >= block.length) return Number.POSITIVE_INFINITY;
      byte = block[from++] as number;
    }
    return sum;
  };
  while (from < block.length) {
    const token = block[from++] as number;
    const literals = lengthAt(token >> 4);
    if (from + literals > block.length || to + literals > length) return undefined;
    block.copy(out, to, from, from + literals);
    from += literals;
    to += literals;
    if (from === block.length) return to === length ? out : undefined;
    if (from + 2 > block.length) return undefined;
    const distance = block.readUInt16LE(from);
    from += 2;
    const match = lengthAt(token & 15) + minMatchBytes;
    if (distance === 0 || to + match > length || distance > to + dictionary.length) return undefined;
    // Byte by byte: a match may overlap the bytes that it writes.
    for (const end = to + match; to < end; to++) {
      const source = to - distance;
      out[to] = (source < 0 ? dictionary[dictionary.length + source] : out[source]) as number;
    }
  }
  return undefined;
}
