import type { ProviderQuota } from './search-provider.ts';

interface Window {
  readonly remaining: number;
  readonly limit: number | null;
  readonly resetSeconds: number | null;
}

/** A larger reset value is a time since 1970, in seconds or milliseconds, and not a remaining time. */
const maxWindowSeconds = 100 * 24 * 3600;

/**
 * Reads `X-RateLimit-*` or `RateLimit-*` headers, with one value or one per window (Brave: "1, 1999"). Returns the used-up
 * window, else the longest one. Null without `Remaining`.
 */
export function parseQuota(headers: Readonly<Record<string, string>>, now: number): ProviderQuota | null {
  const values = (name: string) => numbers(headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`]);
  const limits = values('limit');
  const resets = values('reset');
  const windows = values('remaining').map((remaining, index): Window => {
    return { remaining, limit: limits[index] ?? null, resetSeconds: secondsUntil(resets[index], now) };
  });
  const exhausted = windows.filter(({ remaining }) => remaining <= 0);
  const longest = (exhausted.length > 0 ? exhausted : windows).sort(
    (a, b) => (b.resetSeconds ?? 0) - (a.resetSeconds ?? 0),
  )[0];
  return longest ?? null;
}

/** How long requests are useless by this quota; 0 when they are not, or when it does not say. */
export function pauseSecondsOf(quota: ProviderQuota | null): number {
  return quota?.remaining !== undefined && (quota.remaining ?? 1) <= 0 ? (quota.resetSeconds ?? 0) : 0;
}

function numbers(header: string | undefined): number[] {
  if (header === undefined) return [];
  return header
    .split(',')
    .map((value) => Number.parseFloat(value))
    .filter((value) => value >= 0);
}

function secondsUntil(reset: number | undefined, now: number): number | null {
  if (reset === undefined) return null;
  if (reset <= maxWindowSeconds) return reset;
  const resetsAt = reset > 1e11 ? reset : reset * 1000;
  return Math.max(0, Math.ceil((resetsAt - now) / 1000));
}
