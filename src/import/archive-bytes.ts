import { open } from 'node:fs/promises';
import { readGzipMembers } from './gzip-members.ts';
import type { Piece } from './piece.ts';

export type Path = string | Buffer;

export interface ArchiveBytes {
  readonly isPacked: boolean;
  /** Bytes of the file. */
  readonly size: number;
  /** The pieces from an offset on, which must be 0 for a packed file. */
  pieces(from?: number): AsyncGenerator<Piece>;
  close(): Promise<void>;
}

const chunkBytes = 256 * 1024;

/** Opens a file, gzipped or not. Rejects, now or later, when the file system refuses it. */
export async function openArchiveBytes(path: Path): Promise<ArchiveBytes> {
  const file = await open(path);
  const read = async (from: number, length: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  };
  const { size } = await file.stat();
  const [first, second] = await read(0, 2);
  const isPacked = first === 0x1f && second === 0x8b;

  async function* plain(from: number): AsyncGenerator<Piece> {
    for (let offset = from; ; ) {
      const bytes = await read(offset, chunkBytes);
      if (bytes.length === 0) return;
      yield { kind: 'bytes', bytes };
      offset += bytes.length;
    }
  }

  return {
    isPacked,
    size,
    pieces: (from = 0) => (isPacked ? readGzipMembers(read, size) : plain(from)),
    close: () => file.close(),
  };
}
