const maxSeconds = 86_400;

/**
 * Seconds that a `Retry-After` header asks for, in either of its forms (RFC 9110 section 10.2.3), between 0 and a
 * day; null when it is missing or invalid.
 */
export function retryAfterSeconds(header: string | undefined, now: number): number | null {
  const value = header?.trim() ?? '';
  if (/^\d+$/.test(value)) return Math.min(Number(value), maxSeconds);
  // Only dates with a month's name: Date.parse accepts "-5" too.
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) return null;
  return Math.min(Math.max(0, Math.ceil((date - now) / 1000)), maxSeconds);
}
