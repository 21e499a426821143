import type { Clock } from '../runtime.ts';
import type { AddressBlock } from './address-block.ts';
import type { ApiKey } from './api-keys.ts';
import { type BucketTable, createBucketTable } from './bucket-table.ts';
import { fullAfterReturn, fullAfterTake, type Rate, remaining, waitMs } from './gcra.ts';

/** The class of a request; each class has its own bucket. */
export type RouteClass = 'search' | 'content';

/** A client of the public tier, identified by its address block, or the holder of a dedicated key. */
export type Client =
  | { readonly kind: 'address'; readonly block: AddressBlock }
  | { readonly kind: 'key'; readonly key: Pick<ApiKey, 'id' | 'rate'> };

export interface ClientLimitOptions {
  /** Rates of the public tier; `off` for no limit. */
  readonly search: Rate | 'off';
  readonly content: Rate | 'off';
  /** Rate of answers with external results, named as in `GLEANER_FALLBACK_LIMIT` and in the metrics. */
  readonly fallback: Rate | 'off';
  /** Maximum requests in flight of one client of the public tier. */
  readonly inFlight: number;
  /** Milliseconds that only go forward. */
  readonly now?: Clock;
}

export type AdmissionRefusal =
  /** The client is over its limit: 429. */
  | { readonly kind: 'limited'; readonly why: 'rate' | 'in_flight'; readonly retryAfterSeconds: number }
  /** The service is overloaded: 503. Costs the client no token. */
  | { readonly kind: 'overloaded'; readonly retryAfterSeconds: number };

export interface StartRequest {
  readonly client: Client;
  readonly routeClass: RouteClass;
  /** 1 by default. */
  readonly tokens?: number | undefined;
  /** Whether the service can take no more requests, of any client. */
  readonly isOverloaded: boolean;
}

/** The remaining quota of a dedicated key. */
export interface KeyQuota {
  /** The burst, from which `remaining` counts down. */
  readonly limit: number;
  readonly remaining: number;
  readonly secondsUntilFull: number;
}

/** The limits of every client: a token bucket for each route class, and a maximum in flight. */
export interface ClientLimits {
  /** Takes the tokens of a request and counts it as in flight, or refuses it. */
  start(request: StartRequest): AdmissionRefusal | undefined;
  /** Ends a request that was started. */
  end(client: Client): void;
  /** Gives the tokens of a request back, of which nothing came. */
  giveBack(request: Pick<StartRequest, 'client' | 'routeClass' | 'tokens'>): void;
  /** Takes a token of the client's budget for external results, if there is one. */
  takeExternal(client: Client): boolean;
  /** The quota of a key; undefined for the public tier. */
  quota(client: Client): KeyQuota | undefined;
  bucketCounts(): BucketCounts;
}

/** Number of buckets that are not full, by kind. The names are labels of a metric. */
export type BucketCounts = Readonly<Record<BucketName, number>>;

type BucketName = RouteClass | 'fallback' | 'key' | 'keyFallback';

/** A dedicated key may serve many people. */
const maxInFlightPerKey = 16;
/** The shares of a key's rate and burst that may have external results: the same as in the public tier. */
const keyExternalShare = { perMinute: 1 / 6, burst: 1 / 4 };
/** By then another request of the same client has probably ended. */
const inFlightRetrySeconds = 1;
/** Long enough for a full queue to drain. */
const overloadRetrySeconds = 2;

export const overloaded: AdmissionRefusal = { kind: 'overloaded', retryAfterSeconds: overloadRetrySeconds };

/**
 * Limits clients by GCRA. Full buckets are dropped, so memory grows with the clients of the last half minute. It decides at
 * once, knows no HTTP and no queue.
 */
export function createClientLimits(options: ClientLimitOptions): ClientLimits {
  const { now = performance.now.bind(performance) } = options;
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
    start: ({ client, routeClass, tokens, isOverloaded }) => {
      const bucket = bucketOf(client, routeClass);
      const wait = expectedWaitMs(client, bucket, tokens);
      if (wait > 0) return { kind: 'limited', why: 'rate', retryAfterSeconds: wait / 1000 };
      const name = nameOf(client);
      const current = inFlight.get(name) ?? 0;
      if (current >= (client.kind === 'key' ? maxInFlightPerKey : options.inFlight))
        return { kind: 'limited', why: 'in_flight', retryAfterSeconds: inFlightRetrySeconds };
      if (isOverloaded) return overloaded;
      take(client, bucket, tokens);
      inFlight.set(name, current + 1);
      return undefined;
    },
    end: (client) => {
      const name = nameOf(client);
      const remainingInFlight = (inFlight.get(name) ?? 1) - 1;
      if (remainingInFlight === 0) inFlight.delete(name);
      else inFlight.set(name, remainingInFlight);
    },
    giveBack: ({ client, routeClass, tokens }) => {
      const { rate, table } = bucketOf(client, routeClass);
      if (rate === 'off') return;
      const time = now();
      const block = blockOf(client);
      table.set(block, fullAfterReturn(rate, table.get(block), time, tokens), time);
    },
    takeExternal: (client) => {
      const budget = bucketOf(client, 'fallback');
      if (expectedWaitMs(client, budget) > 0) return false;
      take(client, budget);
      return true;
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
    bucketCounts: () =>
      Object.fromEntries(Object.entries(tables).map(([name, { count }]) => [name, count()])) as BucketCounts,
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
