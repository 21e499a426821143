/** The bytes of a file, in pieces that follow each other: a large file is written without a copy of it in memory. */
export interface FilePieces {
  readonly pieces: readonly Uint8Array[];
  /** Bytes of all pieces. */
  readonly length: number;
}

/** All bytes in one array, which spans its whole buffer. */
export function joinPieces({ pieces, length }: FilePieces): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  let end = 0;
  for (const piece of pieces) {
    bytes.set(piece, end);
    end += piece.length;
  }
  return bytes;
}
