import type { ProviderQuota } from './search-provider.ts';

interface Window {
  readonly remaining: number;
  readonly limit: number | null;
  readonly resetSeconds: number | null;
}

/** Larger values of a reset are times since 1970, not seconds to go; some count milliseconds. */
const maxWindowSeconds = 100 * 24 * 3600;

/**
 * What `X-RateLimit-*` or `RateLimit-*` headers say, one value or a list with one for each window (Brave: "1, 1999").
 * The window that is used up speaks, else the longest. Null without `Remaining`.
 */
export function parseQuota(headers: Readonly<Record<string, string>>, now: number): ProviderQuota | null {
  const values = (name: string) => numbers(headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`]);
  const limits = values('limit');
  const resets = values('reset');
  const windows = values('remaining').map((remaining, at): Window => {
    return { remaining, limit: limits[at] ?? null, resetSeconds: secondsToGo(resets[at], now) };
  });
  const used = windows.filter(({ remaining }) => remaining <= 0);
  const longest = (used.length > 0 ? used : windows).sort(
    (a, b) => (b.resetSeconds ?? 0) - (a.resetSeconds ?? 0),
  )[0];
  return longest ?? null;
}

/** For how long a quota says that it is of no use to ask; 0 when it may be asked, or does not say. */
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

function secondsToGo(reset: number | undefined, now: number): number | null {
  if (reset === undefined) return null;
  if (reset <= maxWindowSeconds) return reset;
  const at = reset > 1e11 ? reset : reset * 1000;
  return Math.max(0, Math.ceil((at - now) / 1000));
}
