import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../runtime.ts';
import type { Rate } from './gcra.ts';

/** The table of dedicated keys in the store: id to record. */
export const apiKeysTable = 'api-keys';

/** The stored record of a key. The key itself is not stored. */
export interface ApiKeyRecord {
  /** The holder, in the operator's words. */
  readonly name: string;
  /** SHA-256 of the whole key, in hexadecimal. */
  readonly hash: string;
  readonly rate: Rate;
  /** Epoch milliseconds, as all times here; null for never. */
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** What it may do besides asking; absent for nothing. */
  readonly scope?: 'admin';
}

export interface ApiKey extends ApiKeyRecord {
  readonly id: string;
}

export type ApiKeyLookup =
  | { readonly kind: 'valid'; readonly key: ApiKey }
  /** `lacksScope`: of an access token that would be valid with another scope. */
  | { readonly kind: 'refused'; readonly why: string; readonly lacksScope?: true };

export interface ApiKeys {
  /** Looks a key up in the table's current state. Takes the same time for a valid and an invalid key. */
  find(text: string): ApiKeyLookup;
}

interface ApiKeysOptions {
  /** Read at every lookup, so that keys created or revoked by other processes apply at once. */
  readonly table: { get(id: string): ApiKeyRecord | undefined };
  readonly now?: Clock;
}

const form = /^gl_([0-9a-f]{12})_[0-9a-f]{40}$/;
const prefix = /^gl_/i;

/** Whether a text has the complete form of a key. */
export function isKey(text: string): boolean {
  return form.test(text);
}

/** Whether a text begins like a key, as one with a typing error does. */
export function isKeyLike(text: string): boolean {
  return prefix.test(text);
}

/** Compared with when the id is unknown, so that the lookup takes the same time. */
const noHash = createHash('sha256').digest();

export function createApiKeys({ table, now = Date.now }: ApiKeysOptions): ApiKeys {
  return {
    find: (text) => {
      const id = form.exec(text)?.[1] ?? '';
      const record = id === '' ? undefined : table.get(id);
      const expected = record === undefined ? noHash : Buffer.from(record.hash, 'hex');
      const isRight = timingSafeEqual(sha256(text), expected);
      if (record === undefined || !isRight) return { kind: 'refused', why: 'this API key is not known' };
      const ended = endReason(record, now());
      if (ended !== undefined) return { kind: 'refused', why: `this API key ${ended}` };
      return { kind: 'valid', key: { ...record, id } };
    },
  };
}

/** Why a key is no longer valid; undefined while it is. */
export function endReason({ revokedAt, expiresAt }: ApiKeyRecord, now: number): string | undefined {
  if (revokedAt !== null) return 'was revoked';
  if (expiresAt !== null && expiresAt <= now) return `expired on ${new Date(expiresAt).toISOString()}`;
  return undefined;
}

/**
 * Creates a key: `gl_`, its id, and 160 random bits. `text` is for its owner and is not stored. The id selects the record
 * and is no secret.
 */
export function makeApiKey(): { id: string; text: string; hash: string } {
  const id = randomBytes(6).toString('hex');
  const text = `gl_${id}_${randomBytes(20).toString('hex')}`;
  return { id, text, hash: sha256(text).toString('hex') };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
