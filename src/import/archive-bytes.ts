import { open } from 'node:fs/promises';
import { readGzipMembers } from './gzip-members.ts';

/** What comes out of an archive's file, in order. */
export type Piece =
  /** The first bytes of a gzip member start it. `doubt` says what is wrong with the member that they are from. */
  | {
      readonly kind: 'bytes';
      readonly bytes: Uint8Array;
      readonly startsMember?: boolean;
      readonly doubt?: string;
    }
  /** A gzip member has ended, and what came of it has its checksum. */
  | { readonly kind: 'sound' }
  /** So many bytes of the file could not be unpacked; what was before them in the same member came already. */
  | { readonly kind: 'gap'; readonly why: string; readonly lostBytes: number };

export type Path = string | Buffer;

export interface ArchiveBytes {
  readonly isPacked: boolean;
  /** Of the file. */
  readonly size: number;
  /** The pieces from an offset on, which has to be 0 where the file is packed. */
  pieces(from?: number): AsyncGenerator<Piece>;
  close(): Promise<void>;
}

const chunkBytes = 256 * 1024;

/** Opens a file that is gzipped, or not. Rejects, now or later, when the file system refuses it. */
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
