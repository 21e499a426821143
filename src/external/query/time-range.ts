import { rangeMs } from '../filter-results.ts';
import type { TimeRange } from '../search-provider.ts';

/** When a time range begins, in epoch seconds. */
export function rangeStartSeconds(range: TimeRange, now: number): number {
  return Math.floor((now - rangeMs[range]) / 1000);
}

/** The same as a day: YYYY-MM-DD, UTC. */
export function rangeStartDay(range: TimeRange, now: number): string {
  return new Date(now - rangeMs[range]).toISOString().slice(0, 10);
}

/** The name that several services have for each range. */
export const periodNames: Readonly<Record<TimeRange, 'day' | 'week' | 'month' | 'year'>> = {
  '1d': 'day',
  '7d': 'week',
  '30d': 'month',
  '1y': 'year',
};
