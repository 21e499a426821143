import { createDecipheriv } from 'node:crypto';
import { RefusedDocument } from '../refused.ts';
import { defaultPassword, hashOf, numberBytes, verifyHash } from './office-password.ts';
import type { OleFile } from './ole.ts';

/** Excel writes 100,000 rounds; more than this is an attempt to keep a reader busy. */
const maxRounds = 1_000_000;
const maxInfoBytes = 64 * 1024;
const segmentBytes = 4096;
const sizeBytes = 8;

/**
 * The package of an encrypted OOXML file ([MS-OFFCRYPTO] 2.3.4), if it opens with the password: AES by the standard or the
 * agile scheme. Throws `RefusedDocument`: encrypted, also for a scheme that is not known.
 */
export function openEncryptedPackage(file: OleFile, password = defaultPassword): Uint8Array {
  const info = file.read('EncryptionInfo');
  const locked = file.read('EncryptedPackage');
  if (info === undefined || locked === undefined || info.length < 8 || info.length > maxInfoBytes)
    throw new RefusedDocument('encrypted');
  try {
    const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)];
    if (major === 4 && minor === 4) return openAgile(info.toString('utf8', 8), locked, password);
    if (minor === 2 && major >= 2 && major <= 4) return openStandard(info, locked, password);
  } catch {
    // Whatever is wrong with the key, the file stays locked.
  }
  throw new RefusedDocument('encrypted');
}

/** The content of a package: its length, then the content in whole blocks. */
function unlock(locked: Buffer, decrypt: (blocks: Buffer) => Buffer): Buffer {
  const length = locked.readUInt32LE(0) + locked.readUInt32LE(4) * 2 ** 32;
  const blocks = locked.subarray(sizeBytes);
  return decrypt(blocks.subarray(0, blocks.length - (blocks.length % 16))).subarray(0, length);
}

/** Standard encryption ([MS-OFFCRYPTO] 2.3.4.5 to 2.3.4.9): AES in ECB mode, SHA-1, 50,000 rounds. */
function openStandard(info: Buffer, locked: Buffer, password: string): Buffer {
  const headerBytes = info.readUInt32LE(8);
  const keyBits = info.readUInt32LE(12 + 16);
  const verifier = info.subarray(12 + headerBytes);
  const salt = verifier.subarray(4, 20);
  const rounds = 50_000;
  const hash = hashOf('SHA1', spin('SHA1', salt, password, rounds), numberBytes(0));
  const half = (byte: number) => {
    const block = Buffer.alloc(64, byte);
    for (const [index, each] of hash.entries()) block[index] = byte ^ each;
    return hashOf('SHA1', block);
  };
  const key = Buffer.concat([half(0x36), half(0x5c)]).subarray(0, keyBits / 8);
  const decrypt = (blocks: Buffer) => decipher(`aes-${keyBits}-ecb`, key, null, blocks);
  const expected = decrypt(verifier.subarray(40, 72)).subarray(0, 20);
  verifyHash(hashOf('SHA1', decrypt(verifier.subarray(20, 36))), expected);
  return unlock(locked, decrypt);
}

/** The keys of the blocks that a password opens ([MS-OFFCRYPTO] 2.3.4.13). */
const blockKeys = {
  verifierInput: Buffer.from('fea7d2763b4b9e79', 'hex'),
  verifierHash: Buffer.from('d7aa0f6d3061344e', 'hex'),
  key: Buffer.from('146e0be7abacd0d6', 'hex'),
};

/** Agile encryption ([MS-OFFCRYPTO] 2.3.4.10 to 2.3.4.15): AES in CBC mode, segments of 4,096 bytes. */
function openAgile(xml: string, locked: Buffer, password: string): Buffer {
  const data = readScheme(xml, 'keyData');
  const lock = readScheme(xml, 'encryptedKey');
  const rounds = Number(lock.text('spinCount'));
  if (!(rounds >= 0 && rounds <= maxRounds)) throw new RefusedDocument('encrypted');
  const spun = spin(lock.hash, lock.salt, password, rounds);
  const open = (name: string, blockKey: Buffer) =>
    decipher(
      lock.cipher,
      fitTo(hashOf(lock.hash, spun, blockKey), lock.keyBytes),
      fitTo(lock.salt, lock.blockBytes),
      Buffer.from(lock.text(name), 'base64'),
    );
  const input = open('encryptedVerifierHashInput', blockKeys.verifierInput).subarray(0, lock.salt.length);
  const hash = hashOf(lock.hash, input);
  verifyHash(hash, open('encryptedVerifierHashValue', blockKeys.verifierHash).subarray(0, hash.length));
  const key = open('encryptedKeyValue', blockKeys.key).subarray(0, data.keyBytes);
  return unlock(locked, (blocks) => {
    const segments: Buffer[] = [];
    for (let start = 0; start < blocks.length; start += segmentBytes) {
      const iv = hashOf(data.hash, data.salt, numberBytes(start / segmentBytes));
      const segment = blocks.subarray(start, start + segmentBytes);
      segments.push(decipher(data.cipher, key, fitTo(iv, data.blockBytes), segment));
    }
    return Buffer.concat(segments);
  });
}

const hashes: ReadonlySet<string> = new Set(['SHA1', 'SHA256', 'SHA384', 'SHA512']);

/** How a part is encrypted, by the attributes of its element. */
function readScheme(xml: string, element: string) {
  const attributes = new RegExp(`<(?:\\w+:)?${element}\\s([^<>]*)>`).exec(xml)?.[1] ?? '';
  const text = (name: string): string =>
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*"([^"]*)"`).exec(attributes)?.[1] ?? '';
  const [keyBits, blockBytes, hash] = [
    Number(text('keyBits')),
    Number(text('blockSize')),
    text('hashAlgorithm'),
  ];
  const isKnown =
    text('cipherAlgorithm') === 'AES' && text('cipherChaining') === 'ChainingModeCBC' && hashes.has(hash);
  if (!isKnown || ![128, 192, 256].includes(keyBits) || blockBytes !== 16)
    throw new RefusedDocument('encrypted');
  return {
    text,
    hash,
    blockBytes,
    keyBytes: keyBits / 8,
    cipher: `aes-${keyBits}-cbc`,
    salt: Buffer.from(text('saltValue'), 'base64'),
  };
}

/** The hash of a password, made slow. */
function spin(algorithm: string, salt: Buffer, password: string, rounds: number): Buffer {
  let hash = hashOf(algorithm, salt, Buffer.from(password, 'utf16le'));
  const round = Buffer.alloc(4 + hash.length);
  for (let index = 0; index < rounds; index++) {
    round.writeUInt32LE(index);
    hash.copy(round, 4);
    hash = hashOf(algorithm, round);
  }
  return hash;
}

function decipher(cipher: string, key: Buffer, start: Buffer | null, blocks: Buffer): Buffer {
  const opened = createDecipheriv(cipher, key, start).setAutoPadding(false);
  return Buffer.concat([opened.update(blocks), opened.final()]);
}

/** A hash as a key or a start of this length: cut, or filled up with 0x36. */
const fitTo = (hash: Buffer, length: number): Buffer =>
  Buffer.concat([hash, Buffer.alloc(length, 0x36)]).subarray(0, length);
