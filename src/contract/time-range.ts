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

/** The ranges by the words of SearXNG and Tavily. */
export const periodRanges = { day: '1d', week: '7d', month: '30d', year: '1y' } as const;

/** The same by these words and by Brave's letters. */
const otherRangeNames: Readonly<Record<string, TimeRange>> = {
  ...periodRanges,
  pd: '1d',
  pw: '7d',
  pm: '30d',
  py: '1y',
};

/** The range that another service's name stands for; any other value as it is. */
export function knownTimeRange(value: unknown): unknown {
  return typeof value === 'string' && Object.hasOwn(otherRangeNames, value) ? otherRangeNames[value] : value;
}
