import { setImmediate } from 'node:timers';
import type { Clock } from '../runtime.ts';

export interface AdmissionQueueOptions {
  /** How much may be under way or waiting at once. */
  readonly maxInFlight: number;
  /**
   * Nobody is let in who would wait longer than this for a turn, as turns go now, but for the first few; where turn
   * after turn leaves somebody waiting, than two fifths of it.
   */
  readonly maxWaitMs: number;
  /** Milliseconds that only go forward. */
  readonly now?: Clock;
  /** Calls back in a later turn of the event loop; a test passes one of its own. */
  readonly later?: (callback: () => void) => void;
}

export interface AdmissionQueue {
  /** Whether one more would be too much. */
  isFull(): boolean;
  /** Resolves when the turn has come, with what is to be called once the work is done. */
  enter(): Promise<() => void>;
  stats(): AdmissionQueueStats;
}

export interface AdmissionQueueStats {
  readonly inFlight: number;
  readonly waiting: number;
  /** How long the last turns took on average, with what else the event loop had to do. */
  readonly serviceMs: number;
}

/** So many may wait however long turns take, so that nobody is turned away who asks a few things at once. */
const minQueue = 4;
/**
 * A queue that stands, where nearly every turn leaves somebody waiting, is no burst: a long one does no more than a
 * short one but make everybody wait (Nichols and Jacobson, Controlling queue delay, ACM Queue 10(5), 2012). It is kept
 * to a part of what bursts may have.
 */
const standingThreshold = 0.8;
const standingWaitShare = 0.4;
const minStandingQueue = 2;
/** How much the newest turn counts in the average. */
const smoothing = 0.1;
/** The average before there was one. */
const initialServiceMs = 1;

/**
 * Lets work begin one at a time, each in a turn of the event loop of its own. A search is CPU for most of its time, so
 * what makes a busy server slow is not what runs but what was read from sockets and waits to run. That queue would
 * stand in the event loop, where nobody can see it; here it can be counted, and kept short.
 */
export function createAdmissionQueue(options: AdmissionQueueOptions): AdmissionQueue {
  const { maxInFlight, maxWaitMs, now = performance.now.bind(performance), later = setImmediate } = options;
  const defer = options.later ?? afterLoopRounds;
  const waiting: (() => void)[] = [];
  let underWay = 0;
  let serviceMs = initialServiceMs;
  /** The share of the last turns that left somebody waiting. */
  let standingShare = 0;
  /** When the last turn began, until its end was seen. */
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

  // Comes once more after the last turn, to see how long that was: else one long turn would count for ever.
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

/** How often the event loop goes round between two turns while others wait. */
const roundsBetweenEntries = 16;

/**
 * Calls back after some rounds of the event loop. Node takes one new connection in each: with only one round a turn,
 * connections would wait for as many turns as came before them, where no queue of ours can see them.
 */
function afterLoopRounds(callback: () => void, rounds = roundsBetweenEntries): void {
  setImmediate(() => (rounds > 1 ? afterLoopRounds(callback, rounds - 1) : callback()));
}
