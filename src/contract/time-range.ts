export const timeRanges = ['1d', '7d', '30d', '1y', 'all'] as const;

/** A range with a start; `all` has none. */
export type TimeRange = Exclude<(typeof timeRanges)[number], 'all'>;

const dayMs = 24 * 60 * 60 * 1000;

/** How far back each range reaches, in milliseconds. */
export const rangeMs: Readonly<Record<TimeRange, number>> = {
  '1d': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '1y': 365 * dayMs,
};
