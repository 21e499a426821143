import type { Clock } from '../runtime.ts';
import type { AddressBlock } from './address-block.ts';
import { type AdmissionQueueStats, createAdmissionQueue } from './admission-queue.ts';
import type { ApiKey } from './api-keys.ts';
import { type BucketTable, createBucketTable } from './bucket-table.ts';
import { fullAfterTake, type Rate, remaining, waitMs } from './gcra.ts';

/** What a request is counted as; each class has a bucket of its own. */
export const routeClasses = ['search', 'content'] as const;
export type RouteClass = (typeof routeClasses)[number];

/** Who asks: the block that the address is in, or whoever shows a dedicated key. */
export type Client =
  | { readonly kind: 'address'; readonly block: AddressBlock }
  | { readonly kind: 'key'; readonly key: ApiKey };

export interface AdmissionControlOptions {
  /** The public tier's rates; `off` for no limit. */
  readonly search: Rate | 'off';
  readonly content: Rate | 'off';
  /** Of answers for which other services are asked. */
  readonly fallback: Rate | 'off';
  /** How much one client of the public tier may have in flight. */
  readonly inFlight: number;
  /** How much all clients together may have in flight. */
  readonly maxInFlight: number;
  /** Milliseconds that only go forward. */
  readonly now?: Clock;
  readonly later?: (callback: () => void) => void;
}

/** What became of a request at the door. */
export type Admission =
  | Admitted
  /** The client has had its share: 429. */
  | { readonly kind: 'limited'; readonly why: 'rate' | 'in_flight'; readonly retryAfterSeconds: number }
  /** The service has more to do than it can in time: 503. Costs the client no token. */
  | { readonly kind: 'overloaded'; readonly retryAfterSeconds: number };

export interface Admitted {
  readonly kind: 'admitted';
  /** Waits for its turn, runs the work and settles as it does. To be called once. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether other services may be asked for this answer; takes from the budget for that, so to be called once. */
  mayAskExternal(): boolean;
  /** The client has its answer: what it had in flight is one less. To be called in any case, whether run or not. */
  release(): void;
}

/** What a dedicated key has left. */
export interface KeyQuota {
  /** The most requests at once, which `remaining` counts down from. */
  readonly limit: number;
  readonly remaining: number;
  readonly secondsUntilFull: number;
}

export interface AdmissionControl {
  /** Decides at once whether a request may go on, and counts it if so, as so many tokens as its work is worth. */
  admit(client: Client, routeClass: RouteClass, tokens?: number): Admission;
  /** What a key has left; undefined for the public tier, which is not told. */
  quota(client: Client): KeyQuota | undefined;
  stats(): AdmissionControlStats;
}

export interface AdmissionControlStats extends AdmissionQueueStats {
  /** How many clients have a bucket that is not full, of each kind. */
  readonly clients: Readonly<Record<BucketName, number>>;
}

type BucketName = RouteClass | 'fallback' | 'key' | 'keyFallback';

/** A dedicated key may have this much in flight: it may stand for many people. */
const maxInFlightPerKey = 16;
/** And this share of its rate, and of its burst, may be answers for which others are asked: as the public tier has it. */
const keyExternalShare = { perMinute: 1 / 6, burst: 1 / 4 };
/** Others of its client's requests are finished about now. */
const inFlightRetrySeconds = 1;
/** Long enough for a full queue to be gone. */
const overloadRetrySeconds = 2;
/** What would wait longer is refused: with a search of its own behind that, an answer takes some 100 ms at most. */
const maxWaitMs = 50;

/**
 * Who may ask how much: a token bucket for each client and route class, so much in flight for each client and for all
 * together. Clients whose buckets are full again are forgotten, so memory goes with the clients of the last half
 * minute. Knows no HTTP: every door asks the same one.
 */
export function createAdmissionControl(options: AdmissionControlOptions): AdmissionControl {
  const { now = performance.now.bind(performance), later } = options;
  const turns = createAdmissionQueue({
    maxInFlight: options.maxInFlight,
    maxWaitMs,
    now,
    ...(later && { later }),
  });
  const inFlight = new Map<string, number>();
  const times: Readonly<Record<BucketName, BucketTable>> = {
    search: createBucketTable(),
    content: createBucketTable(),
    fallback: createBucketTable(),
    key: createBucketTable(),
    keyFallback: createBucketTable(),
  };

  /** A key has one bucket for all that it asks, and one for what others are asked. */
  const bucketOf = (client: Client, of: RouteClass | 'fallback'): Bucket => {
    if (client.kind === 'address') return { rate: options[of], times: times[of] };
    const { rate } = client.key;
    return of === 'fallback'
      ? { rate: fallbackRateOf(rate), times: times.keyFallback }
      : { rate, times: times.key };
  };

  const wouldWait = (client: Client, { rate, times }: Bucket, tokens = 1): number =>
    rate === 'off' ? 0 : waitMs(rate, times.get(blockOf(client)), now(), tokens);

  const take = (client: Client, { rate, times }: Bucket, tokens = 1): void => {
    if (rate === 'off') return;
    const time = now();
    const block = blockOf(client);
    times.set(block, fullAfterTake(rate, times.get(block), time, tokens), time);
  };

  return {
    admit: (client, routeClass, tokens) => {
      const bucket = bucketOf(client, routeClass);
      const wait = wouldWait(client, bucket, tokens);
      if (wait > 0) return { kind: 'limited', why: 'rate', retryAfterSeconds: wait / 1000 };
      const name = nameOf(client);
      const had = inFlight.get(name) ?? 0;
      if (had >= (client.kind === 'key' ? maxInFlightPerKey : options.inFlight))
        return { kind: 'limited', why: 'in_flight', retryAfterSeconds: inFlightRetrySeconds };
      if (turns.isFull()) return { kind: 'overloaded', retryAfterSeconds: overloadRetrySeconds };

      take(client, bucket, tokens);
      inFlight.set(name, had + 1);
      let released = false;
      return {
        kind: 'admitted',
        run: async (work) => {
          const leave = await turns.enter();
          try {
            return await work();
          } finally {
            leave();
          }
        },
        mayAskExternal: () => {
          const budget = bucketOf(client, 'fallback');
          if (wouldWait(client, budget) > 0) return false;
          take(client, budget);
          return true;
        },
        release: () => {
          if (released) return;
          released = true;
          const has = (inFlight.get(name) ?? 1) - 1;
          if (has === 0) inFlight.delete(name);
          else inFlight.set(name, has);
        },
      };
    },
    quota: (client) => {
      if (client.kind === 'address') return undefined;
      const { rate } = client.key;
      const fullAt = times.key.get(blockOf(client));
      const time = now();
      return {
        limit: rate.burst,
        remaining: remaining(rate, fullAt, time),
        secondsUntilFull: Math.max(0, fullAt - time) / 1000,
      };
    },
    stats: () => ({
      ...turns.stats(),
      clients: Object.fromEntries(
        Object.entries(times).map(([name, { count }]) => [name, count()]),
      ) as Record<BucketName, number>,
    }),
  };
}

interface Bucket {
  readonly rate: Rate | 'off';
  readonly times: BucketTable;
}

/** Keys have tables of their own, where 48 bits of their ids stand for addresses. */
function blockOf(client: Client): AddressBlock {
  if (client.kind === 'address') return client.block;
  const { id } = client.key;
  return { high: Number.parseInt(id.slice(0, 8), 16), low: Number.parseInt(id.slice(8), 16) };
}

function fallbackRateOf({ perMinute, burst }: Rate): Rate {
  return {
    perMinute: perMinute * keyExternalShare.perMinute,
    burst: Math.max(1, Math.floor(burst * keyExternalShare.burst)),
  };
}

function nameOf(client: Client): string {
  return client.kind === 'key' ? client.key.id : `${client.block.high}.${client.block.low}`;
}
