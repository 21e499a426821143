import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileModeIn } from '../../store/private-files.ts';

/** Pieces below this size are written together: a system call costs more than to copy them. */
const smallPiece = 64 * 1024;
const gatheredBytes = 1024 * 1024;

/** Writes a file with the permissions that fit its folder (`fileModeIn`), piece by piece, and returns once it is on disk. */
export function writeDurably(path: string, pieces: readonly Uint8Array[]): void {
  const file = openSync(path, 'w', fileModeIn(dirname(path)));
  try {
    const gathered = Buffer.allocUnsafe(gatheredBytes);
    let end = 0;
    for (const piece of pieces) {
      if (end > 0 && (piece.length >= smallPiece || end + piece.length > gathered.length)) {
        writeAll(file, gathered.subarray(0, end));
        end = 0;
      }
      if (piece.length >= smallPiece) writeAll(file, piece);
      else {
        gathered.set(piece, end);
        end += piece.length;
      }
    }
    writeAll(file, gathered.subarray(0, end));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(file, bytes, offset);
}
