const zoned = /(?:z|gmt|utc|[+-]\d\d:?\d\d)$/i;
const isoDate = /^\d{4}-\d{2}(?:-\d{2})?(?:[t ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)?(?:z|[+-]\d\d:?\d\d)?$/i;
const namedMonth = /^(?=.*\d{4})(?=.*\p{L}{3})[\p{L}\d ,.:+-]{6,40}$/u;
const ago = /^(\d{1,3}) (minute|hour|day|week|month|year)s? ago$/i;

const hour = 3_600_000;
const unitMs: Readonly<Record<string, number>> = {
  minute: 60_000,
  hour,
  day: 24 * hour,
  week: 7 * 24 * hour,
  month: 30 * 24 * hour,
  year: 365 * 24 * hour,
};
/** Time zones explain a date of tomorrow; a date of next week is an error. */
const maxLeadMs = 48 * hour;

/**
 * A provider's date as epoch milliseconds: ISO 8601, a date with the name of its month, "3 days ago", or seconds since
 * 1970. UTC without a time zone. Null for other values, and for dates before 1990 or in the future.
 */
export function parsePublishedAt(value: unknown, now: number): number | null {
  const time = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? parse(value, now) : NaN;
  return time >= Date.UTC(1990, 0) && time <= now + maxLeadMs ? Math.round(time) : null;
}

function parse(value: string, now: number): number {
  const text = value.trim();
  const relative = ago.exec(text);
  if (relative) return now - Number(relative[1]) * (unitMs[String(relative[2]).toLowerCase()] ?? NaN);
  if (isoDate.test(text)) {
    const isDay = text.length <= 10;
    return Date.parse(isDay || zoned.test(text) ? text : `${text}Z`);
  }
  if (!namedMonth.test(text)) return NaN;
  return Date.parse(zoned.test(text) ? text : `${text} UTC`);
}
