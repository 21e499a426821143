import { createHash, timingSafeEqual } from 'node:crypto';
import { RefusedDocument } from '../refused.ts';

/** Excel locks a workbook with this password where its author gives none, so that it opens without a question. */
export const defaultPassword = 'VelvetSweatshop';

/** The hash of parts one after another. */
export function hashOf(algorithm: string, ...parts: readonly Buffer[]): Buffer {
  const hash = createHash(algorithm);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** A number as four bytes, the lowest first. */
export function numberBytes(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}

/** Throws `RefusedDocument`: encrypted, if the hash of a decrypted verifier is not the expected one: the password is wrong. */
export function verifyHash(hash: Buffer, expected: Buffer): void {
  if (hash.length !== expected.length || !timingSafeEqual(hash, expected))
    throw new RefusedDocument('encrypted');
}
