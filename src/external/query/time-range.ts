import { rangeMs, type TimeRange } from '../../contract/time-range.ts';

/** The start of a time range, in epoch seconds. */
export function rangeStartSeconds(range: TimeRange, now: number): number {
  return Math.floor((now - rangeMs[range]) / 1000);
}

/** The start of a time range as a day: YYYY-MM-DD, UTC. */
export function rangeStartDay(range: TimeRange, now: number): string {
  return new Date(now - rangeMs[range]).toISOString().slice(0, 10);
}

/** The name that several providers use for each range. */
export const periodNames: Readonly<Record<TimeRange, 'day' | 'week' | 'month' | 'year'>> = {
  '1d': 'day',
  '7d': 'week',
  '30d': 'month',
  '1y': 'year',
};
