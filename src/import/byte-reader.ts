/** What makes the rest of an archive unreadable; its text is for people. */
export class BrokenArchive extends Error {}

/** Reads a stream of bytes piece by piece, holding no more of it than was asked for. */
export interface ByteReader {
  /**
   * Everything up to an empty line, without it; line ends may lack their CR. Skips empty lines before. Undefined at the
   * end of the stream. Throws `BrokenArchive` when no empty line comes within `maxBytes`.
   */
  head(maxBytes: number): Promise<string | undefined>;
  /** The next `count` bytes. Throws `BrokenArchive` when there are fewer. */
  take(count: number): Promise<Uint8Array>;
  /** Reads over the next `count` bytes. Throws `BrokenArchive` when there are fewer. */
  skip(count: number): Promise<void>;
}

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array();

  const next = async (): Promise<Uint8Array | undefined> => {
    const { done, value } = await chunks.next();
    return done ? undefined : value;
  };
  /** False at the end of the stream. */
  const holdMore = async (): Promise<boolean> => {
    const chunk = await next();
    if (chunk === undefined) return false;
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    return true;
  };
  const skipLineEnds = async (): Promise<void> => {
    for (;;) {
      const start = held.findIndex((byte) => byte !== 0x0d && byte !== 0x0a);
      held = start < 0 ? new Uint8Array() : held.subarray(start);
      if (held.length > 0 || !(await holdMore())) return;
    }
  };

  return {
    async head(maxBytes) {
      await skipLineEnds();
      if (held.length === 0) return undefined;
      for (;;) {
        const found = endOfHead(held.subarray(0, maxBytes));
        if (found !== undefined) {
          const text = Buffer.from(held.buffer, held.byteOffset, found.length).toString('latin1');
          held = held.subarray(found.end);
          return text;
        }
        if (held.length >= maxBytes) throw new BrokenArchive('headers too long');
        if (!(await holdMore())) throw new BrokenArchive('cut short');
      }
    },
    async take(count) {
      const pieces = [held.subarray(0, count)];
      let length = pieces[0]?.length ?? 0;
      held = held.subarray(length);
      while (length < count) {
        const chunk = await next();
        if (chunk === undefined) throw new BrokenArchive('cut short');
        const wanted = chunk.subarray(0, count - length);
        held = chunk.subarray(wanted.length);
        pieces.push(wanted);
        length += wanted.length;
      }
      return Buffer.concat(pieces);
    },
    async skip(count) {
      let left = count - held.length;
      held = held.subarray(Math.min(count, held.length));
      while (left > 0) {
        const chunk = await next();
        if (chunk === undefined) throw new BrokenArchive('cut short');
        held = chunk.subarray(Math.min(left, chunk.length));
        left -= chunk.length;
      }
    },
  };
}

/** Where the lines before the first empty line end, and where that line does; undefined when there is none. */
export function endOfHead(bytes: Uint8Array): { length: number; end: number } | undefined {
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    const after = bytes[at + 1] === 0x0d ? at + 2 : at + 1;
    if (bytes[after] === 0x0a) return { length: at, end: after + 1 };
  }
  return undefined;
}
