import { type AdmissionQueueStats, createAdmissionQueue } from './admission-queue.ts';
import {
  type AdmissionRefusal,
  type BucketCounts,
  type Client,
  type ClientLimitOptions,
  createClientLimits,
  type KeyQuota,
  type RouteClass,
} from './client-limits.ts';

export interface AdmissionControlOptions extends ClientLimitOptions {
  /** Maximum requests in flight of all clients. */
  readonly maxInFlight: number;
  readonly later?: (callback: () => void) => void;
}

/** The decision about a request. */
export type Admission = Admitted | AdmissionRefusal;

export interface Admitted {
  readonly kind: 'admitted';
  /** Waits in the admission queue, runs the work and settles as it does. Call it once. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether external providers may be queried for this answer. Takes a token of that budget, so call it once. */
  mayAskExternal(): boolean | Promise<boolean>;
  /** Ends the request: the client has one less in flight. Call it in any case, even without `run`. */
  release(): void;
}

/** Decides about requests: at once in a process of its own, by asking another process where several share the limits. */
export interface AdmissionControl {
  /** Decides whether a request is admitted. An admitted one costs `tokens`, 1 by default. */
  admit(client: Client, routeClass: RouteClass, tokens?: number): Admission | Promise<Admission>;
  /** The quota of a key; undefined for the public tier, which gets no quota headers. */
  quota(client: Client): KeyQuota | undefined | Promise<KeyQuota | undefined>;
  stats(): AdmissionControlStats;
}

/** Admission control of one process, which waits for no one. */
export interface OwnAdmissionControl extends AdmissionControl {
  admit(client: Client, routeClass: RouteClass, tokens?: number): OwnAdmitted | AdmissionRefusal;
  quota(client: Client): KeyQuota | undefined;
  stats(): AdmissionQueueStats & { readonly clients: BucketCounts };
}

interface OwnAdmitted extends Admitted {
  mayAskExternal(): boolean;
}

export interface AdmissionControlStats extends AdmissionQueueStats {
  /** Empty where another process has the buckets. */
  readonly clients: Partial<BucketCounts>;
}

/** Requests that would wait longer are rejected, so that an answer takes about 100 ms at most. */
export const maxWaitMs = 50;

/** Admits requests by the limits of their client and by the length of the queue. HTTP and MCP share it. */
export function createAdmissionControl(options: AdmissionControlOptions): OwnAdmissionControl {
  const { now = performance.now.bind(performance), later, maxInFlight } = options;
  const queue = createAdmissionQueue({ maxInFlight, maxWaitMs, now, ...(later && { later }) });
  const limits = createClientLimits({ ...options, now });

  return {
    admit: (client, routeClass, tokens) => {
      const refusal = limits.start({ client, routeClass, tokens, isOverloaded: queue.isFull() });
      if (refusal) return refusal;
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
        mayAskExternal: () => limits.takeExternal(client),
        release: () => {
          if (!released) limits.end(client);
          released = true;
        },
      };
    },
    quota: limits.quota,
    stats: () => ({ ...queue.stats(), clients: limits.bucketCounts() }),
  };
}
