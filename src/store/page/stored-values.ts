import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as lmdb from 'lmdb';
import { unpackLz4 } from '../verify/lz4.ts';

/** Decodes keys and values that were read from the file without LMDB. Throws for damaged ones. */
export interface StoredValues {
  key(bytes: Buffer): unknown;
  value(bytes: Buffer): unknown;
  close(): Promise<void>;
}

/** First bytes of a value that LMDB's binding has compressed (`compression.cpp` of `lmdb`), with the form of its length. */
const packedShort = 254;
const packedLong = 255;
/** Far above all stored texts. A damaged length may claim gigabytes. */
const maxUnpackedBytes = 256 * 1024 * 1024;

/** Exported by `lmdb`, though its types do not say so. */
const { bufferToKeyValue } = lmdb as unknown as { bufferToKeyValue(bytes: Buffer): unknown };

interface Inner {
  readonly decoder: { decode(bytes: Buffer): unknown };
  readonly compression: { readonly dictionary: Buffer };
}

/** The decoder and the dictionary belong to a database in a temporary folder, which `close` removes. */
export function openStoredValues(): StoredValues {
  const folder = mkdtempSync(join(tmpdir(), 'gleaner-verify-'));
  const root = lmdb.open({ path: folder, compression: true });
  const { decoder, compression } = root as unknown as Inner;
  const dictionary = compression.dictionary.subarray(0, (compression.dictionary.length >> 3) << 3);
  return {
    key: bufferToKeyValue,
    value: (bytes) => decoder.decode(unpacked(bytes, dictionary)),
    close: async () => {
      await root.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function unpacked(bytes: Buffer, dictionary: Buffer): Buffer {
  const first = bytes[0];
  if (first !== packedShort && first !== packedLong) return bytes;
  const isLong = first === packedLong;
  const length = isLong ? bytes.readUInt32BE(4) : bytes.readUIntBE(1, 3);
  const text =
    length > maxUnpackedBytes ? undefined : unpackLz4(bytes.subarray(isLong ? 8 : 4), length, dictionary);
  if (text === undefined) throw new Error('it cannot be unpacked');
  return text;
}
