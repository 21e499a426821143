import type { Clock } from '../runtime.ts';
import type { AddressBlock } from './address-block.ts';
import { type AdmissionQueueStats, createAdmissionQueue } from './admission-queue.ts';
import type { ApiKey } from './api-keys.ts';
import { type BucketTable, createBucketTable } from './bucket-table.ts';
import { fullAfterTake, type Rate, remaining, waitMs } from './gcra.ts';

/** The class of a request; each class has its own bucket. */
export type RouteClass = 'search' | 'content';

/** A client of the public tier, identified by its address block, or the holder of a dedicated key. */
export type Client =
  | { readonly kind: 'address'; readonly block: AddressBlock }
  | { readonly kind: 'key'; readonly key: ApiKey };

export interface AdmissionControlOptions {
  /** Rates of the public tier; `off` for no limit. */
  readonly search: Rate | 'off';
  readonly content: Rate | 'off';
  /** Rate of answers with external results, named as in `GLEANER_FALLBACK_LIMIT` and in the metrics. */
  readonly fallback: Rate | 'off';
  /** Maximum requests in flight of one client of the public tier. */
  readonly inFlight: number;
  /** Maximum requests in flight of all clients. */
  readonly maxInFlight: number;
  /** Milliseconds that only go forward. */
  readonly now?: Clock;
  readonly later?: (callback: () => void) => void;
}

/** The decision about a request. */
export type Admission =
  | Admitted
  /** The client is over its limit: 429. */
  | { readonly kind: 'limited'; readonly why: 'rate' | 'in_flight'; readonly retryAfterSeconds: number }
  /** The service is overloaded: 503. Costs the client no token. */
  | { readonly kind: 'overloaded'; readonly retryAfterSeconds: number };

export interface Admitted {
  readonly kind: 'admitted';
  /** Waits in the admission queue, runs the work and settles as it does. Call it once. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether external providers may be queried for this answer. Takes a token of that budget, so call it once. */
  mayAskExternal(): boolean;
  /** Ends the request: the client has one less in flight. Call it in any case, even without `run`. */
  release(): void;
}

/** The remaining quota of a dedicated key. */
export interface KeyQuota {
  /** The burst, from which `remaining` counts down. */
  readonly limit: number;
  readonly remaining: number;
  readonly secondsUntilFull: number;
}

export interface AdmissionControl {
  /** Decides at once whether a request is admitted. An admitted one costs `tokens`, 1 by default. */
  admit(client: Client, routeClass: RouteClass, tokens?: number): Admission;
  /** The quota of a key; undefined for the public tier, which gets no quota headers. */
  quota(client: Client): KeyQuota | undefined;
  stats(): AdmissionControlStats;
}

export interface AdmissionControlStats extends AdmissionQueueStats {
  /** Number of buckets that are not full, by kind. The names are labels of a metric. */
  readonly clients: Readonly<Record<BucketName, number>>;
}

type BucketName = RouteClass | 'fallback' | 'key' | 'keyFallback';

/** A dedicated key may serve many people. */
const maxInFlightPerKey = 16;
/** The shares of a key's rate and burst that may have external results: the same as in the public tier. */
const keyExternalShare = { perMinute: 1 / 6, burst: 1 / 4 };
/** By then another request of the same client has probably ended. */
const inFlightRetrySeconds = 1;
/** Long enough for a full queue to drain. */
const overloadRetrySeconds = 2;
/** Requests that would wait longer are rejected, so that an answer takes about 100 ms at most. */
const maxWaitMs = 50;

/**
 * Limits clients: a token bucket per client and route class, and a maximum in flight per client and in total. Full buckets
 * are dropped, so memory grows with the clients of the last half minute. It knows no HTTP, and HTTP and MCP share it.
 */
export function createAdmissionControl(options: AdmissionControlOptions): AdmissionControl {
  const { now = performance.now.bind(performance), later } = options;
  const queue = createAdmissionQueue({
    maxInFlight: options.maxInFlight,
    maxWaitMs,
    now,
    ...(later && { later }),
  });
  const inFlight = new Map<string, number>();
  const tables: Readonly<Record<BucketName, BucketTable>> = {
    search: createBucketTable(),
    content: createBucketTable(),
    fallback: createBucketTable(),
    key: createBucketTable(),
    keyFallback: createBucketTable(),
  };

  /** A key has one bucket for all its requests, and one for external results. */
  const bucketOf = (client: Client, kind: RouteClass | 'fallback'): Bucket => {
    if (client.kind === 'address') return { rate: options[kind], table: tables[kind] };
    const { rate } = client.key;
    return kind === 'fallback'
      ? { rate: externalRateOf(rate), table: tables.keyFallback }
      : { rate, table: tables.key };
  };

  const expectedWaitMs = (client: Client, { rate, table }: Bucket, tokens = 1): number =>
    rate === 'off' ? 0 : waitMs(rate, table.get(blockOf(client)), now(), tokens);

  const take = (client: Client, { rate, table }: Bucket, tokens = 1): void => {
    if (rate === 'off') return;
    const time = now();
    const block = blockOf(client);
    table.set(block, fullAfterTake(rate, table.get(block), time, tokens), time);
  };

  return {
    admit: (client, routeClass, tokens) => {
      const bucket = bucketOf(client, routeClass);
      const wait = expectedWaitMs(client, bucket, tokens);
      if (wait > 0) return { kind: 'limited', why: 'rate', retryAfterSeconds: wait / 1000 };
      const name = nameOf(client);
      const current = inFlight.get(name) ?? 0;
      if (current >= (client.kind === 'key' ? maxInFlightPerKey : options.inFlight))
        return { kind: 'limited', why: 'in_flight', retryAfterSeconds: inFlightRetrySeconds };
      if (queue.isFull()) return { kind: 'overloaded', retryAfterSeconds: overloadRetrySeconds };

      take(client, bucket, tokens);
      inFlight.set(name, current + 1);
      let released = false;
      return {
        kind: 'admitted',
        run: async (work) => {
          const leave = await queue.enter();
          try {
            return await work();
          } finally {
            leave();
          }
        },
        mayAskExternal: () => {
          const budget = bucketOf(client, 'fallback');
          if (expectedWaitMs(client, budget) > 0) return false;
          take(client, budget);
          return true;
        },
        release: () => {
          if (released) return;
          released = true;
          const remainingInFlight = (inFlight.get(name) ?? 1) - 1;
          if (remainingInFlight === 0) inFlight.delete(name);
          else inFlight.set(name, remainingInFlight);
        },
      };
    },
    quota: (client) => {
      if (client.kind === 'address') return undefined;
      const { rate } = client.key;
      const fullAt = tables.key.get(blockOf(client));
      const time = now();
      return {
        limit: rate.burst,
        remaining: remaining(rate, fullAt, time),
        secondsUntilFull: Math.max(0, fullAt - time) / 1000,
      };
    },
    stats: () => ({
      ...queue.stats(),
      clients: Object.fromEntries(
        Object.entries(tables).map(([name, { count }]) => [name, count()]),
      ) as Record<BucketName, number>,
    }),
  };
}

interface Bucket {
  readonly rate: Rate | 'off';
  readonly table: BucketTable;
}

/** Keys have their own tables, where the 48 bits of a key's id take the place of an address. */
function blockOf(client: Client): AddressBlock {
  if (client.kind === 'address') return client.block;
  const { id } = client.key;
  return { high: Number.parseInt(id.slice(0, 8), 16), low: Number.parseInt(id.slice(8), 16) };
}

function externalRateOf({ perMinute, burst }: Rate): Rate {
  return {
    perMinute: perMinute * keyExternalShare.perMinute,
    burst: Math.max(1, Math.floor(burst * keyExternalShare.burst)),
  };
}

function nameOf(client: Client): string {
  return client.kind === 'key' ? client.key.id : `${client.block.high}.${client.block.low}`;
}
