import type { Clock } from '../../src/runtime.ts';

export interface TokenBucketOptions {
  /** The largest burst, in tokens. */
  readonly capacity: number;
  readonly perSecond: number;
  readonly now?: Clock;
}

export interface TokenBucket {
  /**
   * Takes `tokens` (default 1) and returns 0, or takes nothing and returns the seconds after which they will be
   * there. Throws a `RangeError` for more tokens than the bucket can ever hold.
   */
  tryTake(tokens?: number): number;
  /** Whole tokens that could be taken now. */
  remaining(): number;
  secondsUntilFull(): number;
}

/** Refilling in small steps loses this much to floating point; less than a millionth of a token is no token. */
const rounding = 1e-6;

/** Allows bursts up to `capacity`, then `perSecond` on average. Never sleeps: the caller decides what waiting means. */
export function createTokenBucket({ capacity, perSecond, now = Date.now }: TokenBucketOptions): TokenBucket {
  if (!(capacity > 0) || !(perSecond > 0) || !Number.isFinite(capacity) || !Number.isFinite(perSecond)) {
    throw new RangeError('capacity and perSecond must be positive numbers');
  }
  let tokens = capacity;
  let filledAt = now();

  const refill = (): void => {
    const time = now();
    // A clock that is set back gives nothing and takes nothing.
    tokens = Math.min(capacity, tokens + (Math.max(0, time - filledAt) / 1000) * perSecond);
    filledAt = time;
  };

  return {
    tryTake(wanted = 1) {
      if (!(wanted >= 0 && wanted <= capacity)) throw new RangeError(`cannot take ${wanted} of ${capacity}`);
      refill();
      if (tokens + rounding < wanted) return (wanted - tokens) / perSecond;
      tokens = Math.max(0, tokens - wanted);
      return 0;
    },
    remaining() {
      refill();
      return Math.floor(tokens + rounding);
    },
    secondsUntilFull() {
      refill();
      return (capacity - tokens) / perSecond;
    },
  };
}
