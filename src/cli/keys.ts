import type { Config } from '../config/config.ts';
import { invalidParameters, ServiceError } from '../contract/errors.ts';
import { type ApiKeyRecord, apiKeysTable, endReason, makeApiKey } from '../limits/api-keys.ts';
import { opennessWarning } from '../store/lmdb/openness-warning.ts';
import { openPageStore } from '../store/lmdb-store.ts';
import type { PageStore } from '../store/page-store.ts';
import { commandName } from './arguments/command-name.ts';
import { openFilledStore } from './data-folder.ts';
import { printableJson } from './output/printable.ts';

export interface CreateKeyFlags {
  readonly perMinute?: number;
  readonly burst?: number;
  readonly expires?: string;
  readonly admin?: true;
}

/** Ten times the limit of an address without a key. */
const defaultPerMinute = 600;
/** Default burst as a share of the rate, as in the public tier: 20 for 60. */
const burstShare = 1 / 3;

/** `gleaner keys create`: prints the new key on stdout, only this once, and its limits on stderr. */
export async function createKey(name: string, flags: CreateKeyFlags, config: Config): Promise<void> {
  const { perMinute = defaultPerMinute, burst = Math.max(1, Math.round(perMinute * burstShare)) } = flags;
  const now = Date.now();
  const expiresAt = flags.expires === undefined ? null : readExpiry(flags.expires, now);
  if (!/^[\w.@-]{1,64}$/.test(name)) {
    const message = 'must be 1 to 64 letters, digits and . _ @ -';
    throw invalidParameters([{ parameter: 'name', message }]);
  }
  const store = openPageStore(config.dataFolder);
  try {
    const { id, text, hash } = makeApiKey();
    const table = store.table<ApiKeyRecord>(apiKeysTable);
    await store.edit((writer) => {
      if (validKeys(store, now).some(([, key]) => key.name === name))
        throw new ServiceError('invalid_parameters', `there is a key ${name} already: revoke it first`);
      const rate = { perMinute, burst };
      const scope = flags.admin && ({ scope: 'admin' } as const);
      writer.put(table, id, { name, hash, rate, createdAt: now, expiresAt, revokedAt: null, ...scope });
    });
    process.stdout.write(`${text}\n`);
    const until = expiresAt === null ? '' : `, until ${new Date(expiresAt).toISOString()}`;
    if (config.quiet) return;
    process.stderr.write(
      `The key of ${name}: ${perMinute} requests a minute, ${burst} at once${until}. ` +
        'It is shown this once and kept nowhere: hand it on now.\n',
    );
    const openness = opennessWarning(config.dataFolder);
    if (openness !== undefined) process.stderr.write(`Warning: ${openness}\n`);
  } finally {
    await store.close();
  }
}

export interface ListKeysFlags {
  readonly json?: true;
}

/** `gleaner keys list`: every key, newest last, with its limits and state. */
export async function listKeys({ json }: ListKeysFlags, config: Config): Promise<void> {
  const store = openFilledStore(config);
  try {
    const now = Date.now();
    const keys = allKeys(store).sort(([, a], [, b]) => a.createdAt - b.createdAt);
    const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());
    const stateOf = (key: ApiKeyRecord) => endReason(key, now)?.replace(/^was | on .*$/g, '') ?? 'valid';
    if (json) {
      const list = keys.map(([id, key]) => ({
        name: key.name,
        id,
        ...key.rate,
        createdAt: iso(key.createdAt),
        expiresAt: iso(key.expiresAt),
        revokedAt: iso(key.revokedAt),
        ...(key.scope && { scope: key.scope }),
        state: stateOf(key),
      }));
      process.stdout.write(`${printableJson(list, 2)}\n`);
      return;
    }
    if (keys.length === 0) {
      process.stdout.write(`There are no API keys. Make one with: ${commandName()} keys create NAME\n`);
      return;
    }
    const rows = keys.map(([id, key]) => [
      key.name,
      id,
      String(key.rate.perMinute),
      String(key.rate.burst),
      iso(key.createdAt) ?? '',
      iso(key.expiresAt) ?? 'never',
      stateOf(key),
      key.scope ?? '',
    ]);
    const table = [['name', 'id', 'per minute', 'burst', 'made', 'expires', 'state', 'scope'], ...rows];
    const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
    for (const row of table) {
      const line = row.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  ');
      process.stdout.write(`${line.trimEnd()}\n`);
    }
  } finally {
    await store.close();
  }
}

/** `gleaner keys revoke`: the key with that name or id is refused from now on. */
export async function revokeKey(nameOrId: string, config: Config): Promise<void> {
  const store = openFilledStore(config);
  try {
    const now = Date.now();
    const table = store.table<ApiKeyRecord>(apiKeysTable);
    const name = await store.edit((writer) => {
      const match = validKeys(store, now).find(
        (entry) => entry[1].name === nameOrId || entry[0] === nameOrId,
      );
      if (!match) throw new ServiceError('not_found', `no valid key has the name or the id ${nameOrId}`);
      const [id, key] = match;
      writer.put(table, id, { ...key, revokedAt: now });
      return key.name;
    });
    process.stdout.write(`Revoked the key of ${name}.\n`);
  } finally {
    await store.close();
  }
}

function allKeys(store: PageStore): [string, ApiKeyRecord][] {
  return [...store.table<ApiKeyRecord>(apiKeysTable).entries()];
}

function validKeys(store: PageStore, now: number): [string, ApiKeyRecord][] {
  return allKeys(store).filter(([, key]) => endReason(key, now) === undefined);
}

/** A day, valid to its end (UTC), or a moment, both in ISO 8601. */
function readExpiry(text: string, now: number): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = Date.parse(isDay ? `${text}T23:59:59.999Z` : text);
  const wrong = (message: string) => invalidParameters([{ parameter: 'expires', message }]);
  if (!(isDay || isMoment) || Number.isNaN(time) || !isInCalendar(text))
    throw wrong('must be a day such as 2027-12-31, or a moment such as 2027-12-31T12:00:00Z');
  if (time <= now) throw wrong('must be in the future');
  return time;
}

/** `Date.parse` takes the 31st of February for the 3rd of March. */
function isInCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
