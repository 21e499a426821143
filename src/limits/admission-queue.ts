import { setImmediate } from 'node:timers';
import type { Clock } from '../runtime.ts';

export interface AdmissionQueueOptions {
  /** Maximum number of requests that run or wait. */
  readonly maxInFlight: number;
  /**
   * Maximum expected wait in the queue, ms. Requests that would wait longer are rejected; the first `minQueue` may always
   * wait. Under sustained load the limit is 40 % of it.
   */
  readonly maxWaitMs: number;
  /** Milliseconds that only go forward. */
  readonly now?: Clock;
  /** Calls back in a later turn of the event loop; tests pass their own. */
  readonly later?: (callback: () => void) => void;
}

export interface AdmissionQueue {
  /** Whether one more request must be rejected. */
  isFull(): boolean;
  /** Resolves when the request may start, with a function to call once its work is done. */
  enter(): Promise<() => void>;
  stats(): AdmissionQueueStats;
}

export interface AdmissionQueueStats {
  readonly inFlight: number;
  readonly waiting: number;
  /** Moving average of the time between two starts, with all other work of the event loop. */
  readonly serviceMs: number;
}

/** This many requests may always queue, so that a small burst is never rejected. */
const minQueue = 4;
/**
 * A standing queue, which is almost never empty, is no burst: a long one has no more throughput than a short one and
 * only adds delay (CoDel: Nichols and Jacobson, Controlling queue delay, ACM Queue 10(5), 2012). It gets a shorter limit.
 */
const standingThreshold = 0.8;
const standingWaitShare = 0.4;
const minStandingQueue = 2;
/** Weight of the newest value in the moving averages. */
const smoothing = 0.1;
/** The average before the first measurement. */
const initialServiceMs = 1;

/**
 * Starts requests one at a time, each in its own turn of the event loop. A search is CPU work for most of its time. On a
 * busy server requests therefore wait between socket and event loop, in a queue that cannot be measured. This queue
 * replaces it: it is counted and kept short.
 */
export function createAdmissionQueue(options: AdmissionQueueOptions): AdmissionQueue {
  const { maxInFlight, maxWaitMs, now = performance.now.bind(performance), later = setImmediate } = options;
  const defer = options.later ?? afterLoopRounds;
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let serviceMs = initialServiceMs;
  /** The share of recent starts that left requests waiting. */
  let standingShare = 0;
  /** Start time of the last request, until its duration is measured. */
  let began: number | undefined;
  let isPlanned = false;

  const leave = (): void => {
    underWay -= 1;
  };

  const plan = (): void => {
    isPlanned = true;
    if (waiting.length > 0) defer(admitNext);
    else later(admitNext);
  };

  // Runs once more after the last request to measure its duration. Else one slow request would count for ever.
  const admitNext = (): void => {
    isPlanned = false;
    const time = now();
    if (began !== undefined) serviceMs += smoothing * (time - began - serviceMs);
    const begin = waiting.shift();
    began = begin && time;
    standingShare += smoothing * (Math.min(1, waiting.length) - standingShare);
    if (begin === undefined) return;
    underWay += 1;
    begin();
    plan();
  };

  const isTooLong = (): boolean => {
    const stands = standingShare > standingThreshold;
    if (waiting.length < (stands ? minStandingQueue : minQueue)) return false;
    return waiting.length * serviceMs > (stands ? standingWaitShare * maxWaitMs : maxWaitMs);
  };

  return {
    isFull: () => underWay + waiting.length >= maxInFlight || isTooLong(),
    enter: () =>
      new Promise((resolve) => {
        waiting.push(() => resolve(leave));
        if (!isPlanned) plan();
      }),
    stats: () => ({ inFlight: underWay, waiting: waiting.length, serviceMs }),
  };
}

/** Rounds of the event loop between two starts while requests wait. */
const roundsBetweenEntries = 16;

/**
 * Calls back after some rounds of the event loop. Node accepts one new connection per round. With one round per start,
 * connections would wait in the backlog for all requests before them, where this queue cannot count them.
 */
function afterLoopRounds(callback: () => void, rounds = roundsBetweenEntries): void {
  setImmediate(() => (rounds > 1 ? afterLoopRounds(callback, rounds - 1) : callback()));
}
