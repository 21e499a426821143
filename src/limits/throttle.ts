import pLimit from 'p-limit';
import { abortable } from '../async/abortable.ts';
import { sleep as realSleep, type Sleep } from '../async/sleep.ts';
import type { Clock } from '../runtime.ts';
import { fullAfterTake, waitMs } from './gcra.ts';

export interface ThrottleOptions {
  /** Maximum number of running works. */
  readonly concurrency: number;
  /** Starts per second on average; without it only `concurrency` applies. */
  readonly perSecond?: number;
  /** Maximum starts at once after a pause; `concurrency` by default. */
  readonly burst?: number;
  readonly now?: Clock;
  readonly sleep?: Sleep;
}

export interface ThrottledRunOptions {
  readonly signal?: AbortSignal | undefined;
  /** Maximum wait for the rate; unlimited by default. */
  readonly maxWaitSeconds?: number;
}

/** The work would have to wait longer for the rate than `maxWaitSeconds`. */
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
   * Starts `work` when concurrency and rate allow it, first come first served, and settles as it does. Rejects with the
   * signal's reason when that is aborted before the start; afterwards `work` handles the signal. Rejects with
   * `RateExceeded` at once when the wait would be too long.
   */
  run<Result>(work: () => Promise<Result>, options?: ThrottledRunOptions): Promise<Result>;
}

/** Limits concurrency and rate of requests to other servers. */
export function createThrottle(options: ThrottleOptions): Throttle {
  const { concurrency, perSecond, burst = concurrency, now = Date.now, sleep = realSleep } = options;
  const limit = pLimit(concurrency);
  const takeMs = perSecond === undefined ? () => 0 : createTake(perSecond, burst, now);

  const waitForRate = async ({ signal, maxWaitSeconds = Number.POSITIVE_INFINITY }: ThrottledRunOptions) => {
    signal?.throwIfAborted();
    for (let ms = takeMs(); ms > 0; ms = takeMs()) {
      if (ms > maxWaitSeconds * 1000) throw new RateExceeded(ms / 1000);
      await sleep(ms, signal);
    }
  };

  return {
    run: async (work, runOptions = {}) => {
      runOptions.signal?.throwIfAborted();
      let start = (): void => {};
      const started = new Promise<void>((resolve) => {
        start = resolve;
      });
      const result = limit(async () => {
        await waitForRate(runOptions);
        start();
        return work();
      });
      await abortable(Promise.race([started, result]), runOptions.signal);
      return result;
    },
  };
}

/** Takes a token and returns 0, or returns the milliseconds to wait for one. */
function createTake(perSecond: number, burst: number, now: Clock): () => number {
  const rate = { perMinute: 60 * perSecond, burst };
  const elapsedMs = forwardClock(now);
  let fullAt = 0;
  return () => {
    const time = elapsedMs();
    const ms = waitMs(rate, fullAt, time);
    if (ms === 0) fullAt = fullAfterTake(rate, fullAt, time);
    return ms;
  };
}

/** Milliseconds since the first call, without backward steps: a clock that is set back must not stop all requests. */
function forwardClock(now: Clock): Clock {
  let last = now();
  let elapsed = 0;
  return () => {
    const time = now();
    elapsed += Math.max(0, time - last);
    last = time;
    return elapsed;
  };
}
