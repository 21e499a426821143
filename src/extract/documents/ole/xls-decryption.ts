import { RefusedDocument } from '../refused.ts';
import { defaultPassword, hashOf, numberBytes, verifyHash } from './office-password.ts';
import { xorKeyOf } from './xls-xor-key.ts';

/** The key changes at each of these in the stream. */
const blockBytes = 1024;

/** Record types ([MS-XLS] 2.3.2). */
const filePass = 0x2f;
const boundSheet = 0x85;
/** Records that are never encrypted ([MS-XLS] 2.2.10). */
const plainTypes: ReadonlySet<number> = new Set([0x809, filePass, 0x194, 0x195, 0xe1, 0x196, 0x138]);
/** Where its sheet begins stands in plain text in a BoundSheet8 record. */
const plainSheetBytes = 4;

/** Decrypts the data of a record in place, from the offset of the data in the stream. */
type Unlock = (data: Buffer, offset: number) => void;

/**
 * The stream of a workbook with its records decrypted ([MS-OFFCRYPTO] 2.3.5 to 2.3.7), if it opens with the password: RC4,
 * RC4 by CryptoAPI and XOR obfuscation. The stream itself where it is not encrypted. Takes time linear in its length.
 * Throws `RefusedDocument`: encrypted, also for a scheme that is not known.
 */
export function decryptWorkbook(stream: Buffer, password = defaultPassword): Buffer {
  let unlock: Unlock | undefined;
  let plain = stream;
  for (let offset = 0; offset + 4 <= plain.length; ) {
    const type = plain.readUInt16LE(offset);
    const from = offset + 4;
    const data = plain.subarray(from, from + plain.readUInt16LE(offset + 2));
    if (type === filePass && unlock === undefined) {
      unlock = unlockerOf(data, password);
      plain = Buffer.from(stream);
    } else if (unlock !== undefined && !plainTypes.has(type)) {
      const skipped = type === boundSheet ? plainSheetBytes : 0;
      const sheetOffset = Buffer.from(data.subarray(0, skipped));
      unlock(data, from);
      sheetOffset.copy(data);
    }
    offset = from + data.length;
  }
  return plain;
}

function unlockerOf(info: Buffer, password: string): Unlock {
  try {
    // BIFF5 has no field for the scheme.
    if (info.length === 4) return unlockXor(info, password);
    const scheme = info.readUInt16LE(0);
    if (scheme === 0) return unlockXor(info.subarray(2), password);
    const [major, minor] = [info.readUInt16LE(2), info.readUInt16LE(4)];
    if (scheme === 1 && major === 1 && minor === 1) return unlockRc4(info.subarray(6), password);
    if (scheme === 1 && minor === 2 && major >= 2 && major <= 4)
      return unlockCryptoApi(info.subarray(6), password);
  } catch {
    // Whatever is wrong with the key, the file stays locked.
  }
  throw new RefusedDocument('encrypted');
}

/** RC4 with a key of 40 bits ([MS-OFFCRYPTO] 2.3.6). */
function unlockRc4(info: Buffer, password: string): Unlock {
  const salt = info.subarray(0, 16);
  const base = hashOf('md5', Buffer.from(password, 'utf16le')).subarray(0, 5);
  const rounds = Array.from({ length: 16 }, () => [base, salt]).flat();
  const intermediate = hashOf('md5', ...rounds).subarray(0, 5);
  const keyOf = (block: number) => hashOf('md5', intermediate, numberBytes(block));
  return verified({ keyOf, hash: 'md5', verifier: info.subarray(16, 48) });
}

/** RC4 with a key by SHA-1 ([MS-OFFCRYPTO] 2.3.5). */
function unlockCryptoApi(info: Buffer, password: string): Unlock {
  const headerBytes = info.readUInt32LE(4);
  const header = info.subarray(8, 8 + headerBytes);
  const keyBits = header.readUInt32LE(16) || 40;
  if (keyBits > 128 || keyBits % 8 !== 0) throw new RefusedDocument('encrypted');
  const verifier = info.subarray(8 + headerBytes);
  const base = hashOf('sha1', verifier.subarray(4, 20), Buffer.from(password, 'utf16le'));
  const keyOf = (block: number) => {
    const key = hashOf('sha1', base, numberBytes(block)).subarray(0, keyBits / 8);
    return keyBits === 40 ? Buffer.concat([key], 16) : key;
  };
  const parts = [verifier.subarray(20, 36), verifier.subarray(40, 60)];
  return verified({ keyOf, hash: 'sha1', verifier: Buffer.concat(parts) });
}

interface Rc4Scheme {
  readonly keyOf: (block: number) => Buffer;
  readonly hash: string;
  /** 16 bytes and their hash, both encrypted. */
  readonly verifier: Buffer;
}

function verified({ keyOf, hash, verifier }: Rc4Scheme): Unlock {
  const opened = Buffer.from(verifier);
  const next = keyStream(keyOf(0));
  for (let at = 0; at < opened.length; at++) opened[at] = (opened[at] as number) ^ next();
  const expected = hashOf(hash, opened.subarray(0, 16));
  verifyHash(opened.subarray(16), expected);
  let position = 0;
  let key = keyStream(keyOf(0));
  return (data, offset) => {
    const end = offset + data.length;
    while (position < end) {
      if (position % blockBytes === 0) key = keyStream(keyOf(position / blockBytes));
      const byte = key();
      // What is not encrypted uses up its part of the key.
      if (position >= offset) data[position - offset] = (data[position - offset] as number) ^ byte;
      position++;
    }
  };
}

/** RC4, of which OpenSSL 3 has no copy by default: the next byte of the key at each call. */
function keyStream(key: Buffer): () => number {
  const state = Uint8Array.from(Array(256).keys());
  let [index, other] = [0, 0];
  const swap = () => {
    const kept = state[index] as number;
    state[index] = state[other] as number;
    state[other] = kept;
  };
  for (; index < 256; index++) {
    other = (other + (state[index] as number) + (key[index % key.length] as number)) & 0xff;
    swap();
  }
  [index, other] = [0, 0];
  return () => {
    index = (index + 1) & 0xff;
    other = (other + (state[index] as number)) & 0xff;
    swap();
    return state[((state[index] as number) + (state[other] as number)) & 0xff] as number;
  };
}

/** XOR obfuscation ([MS-OFFCRYPTO] 2.3.7). Excel rotates the bits after it has combined them, where the document says before. */
function unlockXor(info: Buffer, password: string): Unlock {
  const { key, verifier, bytes } = xorKeyOf(Buffer.from(password, 'latin1').subarray(0, 15));
  if (info.readUInt16LE(0) !== key || info.readUInt16LE(2) !== verifier)
    throw new RefusedDocument('encrypted');
  return (data, offset) => {
    for (let at = 0; at < data.length; at++) {
      const mixed = (data[at] as number) ^ (bytes[(offset + data.length + at) % bytes.length] as number);
      data[at] = ((mixed << 3) | (mixed >> 5)) & 0xff;
    }
  };
}
