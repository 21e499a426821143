import pLimit from 'p-limit';
import { sleep as realSleep, type Sleep } from '../async/sleep.ts';
import type { Clock } from '../runtime.ts';
import { createTokenBucket } from './token-bucket.ts';

export interface ThrottleOptions {
  /** How much may be under way at once. */
  readonly concurrency: number;
  /** Starts per second on average; without it only `concurrency` holds. */
  readonly perSecond?: number;
  /** Starts that may come at once after a pause; `concurrency` when not given. */
  readonly burst?: number;
  readonly now?: Clock;
  readonly sleep?: Sleep;
}

export interface ThrottledRunOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long the rate may make the work wait; any time when not given. */
  readonly maxWaitSeconds?: number;
}

/** The rate would have made the work wait for longer than it was willing to. */
export class RateExceeded extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('the rate is used up');
    this.name = 'RateExceeded';
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface Throttle {
  /**
   * Starts `work` when its turn has come, first come first served, and settles as it does. Rejects with the
   * signal's reason when that is aborted before the turn; afterwards the signal is the work's own business. Rejects
   * with `RateExceeded` at once when the turn would come too late.
   */
  run<Result>(work: () => Promise<Result>, options?: ThrottledRunOptions): Promise<Result>;
}

/** The way out for everything that asks others: so much at once, so often a second. */
export function createThrottle(options: ThrottleOptions): Throttle {
  const { concurrency, perSecond, burst = concurrency, now = Date.now, sleep = realSleep } = options;
  const limit = pLimit(concurrency);
  const bucket = perSecond === undefined ? undefined : createTokenBucket({ capacity: burst, perSecond, now });

  const turn = async ({
    signal,
    maxWaitSeconds = Number.POSITIVE_INFINITY,
  }: ThrottledRunOptions): Promise<void> => {
    signal?.throwIfAborted();
    for (let seconds = bucket?.tryTake() ?? 0; seconds > 0; seconds = bucket?.tryTake() ?? 0) {
      if (seconds > maxWaitSeconds) throw new RateExceeded(seconds);
      await sleep(seconds * 1000, signal);
    }
  };

  return {
    run: (work, options = {}) =>
      new Promise((resolve, reject) => {
        const { signal } = options;
        signal?.throwIfAborted();
        const giveUp = () => reject(signal?.reason);
        signal?.addEventListener('abort', giveUp, { once: true });
        limit(async () => {
          await turn(options);
          signal?.removeEventListener('abort', giveUp);
          return work();
        }).then(resolve, reject);
      }),
  };
}
