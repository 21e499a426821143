/** A rate limit: requests per minute on average, and the maximum at once after a pause. */
export interface Rate {
  readonly perMinute: number;
  readonly burst: number;
}

/** Parses `60/20` (requests per minute, maximum at once) or `off`; undefined for other text. */
export function parseRate(text: string): Rate | 'off' | undefined {
  if (text === 'off') return 'off';
  const [, perMinute, burst] = /^(\d{1,7})\/(\d{1,7})$/.exec(text) ?? [];
  const rate = { perMinute: Number(perMinute), burst: Number(burst) };
  return rate.perMinute > 0 && rate.burst > 0 ? rate : undefined;
}

/** Tolerance for floating-point errors in sums of intervals, as a share of one interval. */
const rounding = 1e-6;

function intervalMs({ perMinute }: Rate): number {
  return 60_000 / perMinute;
}

/**
 * The wait in milliseconds until `tokens` can be taken; 0 for now. A bucket is one number, the time in milliseconds at
 * which it is full again, or 0 if it was never used (the virtual scheduling form of the generic cell rate algorithm,
 * ITU-T I.371 annex A). A bucket whose time has passed is full and may be dropped. A request that costs more than the
 * burst needs a full bucket.
 */
export function waitMs(rate: Rate, fullAt: number, now: number, tokens = 1): number {
  const interval = intervalMs(rate);
  const missing = Math.max(0, fullAt - now) + (payable(rate, tokens) - rate.burst) * interval;
  return missing > rounding * interval ? missing : 0;
}

/** The time at which the bucket is full again after `tokens` are taken, at most its burst. */
export function fullAfterTake(rate: Rate, fullAt: number, now: number, tokens = 1): number {
  return Math.max(fullAt, now) + payable(rate, tokens) * intervalMs(rate);
}

/** The time at which the bucket is full again after `tokens` that were taken are given back. */
export function fullAfterReturn(rate: Rate, fullAt: number, now: number, tokens = 1): number {
  return Math.max(now, fullAt - payable(rate, tokens) * intervalMs(rate));
}

function payable({ burst }: Rate, tokens: number): number {
  return Math.min(tokens, burst);
}

/** Whole tokens that could be taken now. */
export function remaining(rate: Rate, fullAt: number, now: number): number {
  const taken = Math.max(0, fullAt - now) / intervalMs(rate);
  return Math.max(0, Math.floor(rate.burst - taken + rounding));
}
