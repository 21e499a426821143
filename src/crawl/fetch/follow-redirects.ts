import { mayCarryOn } from '../credentials/credentials.ts';
import type { FetchOutcome } from './fetch-outcome.ts';
import type { FetchRequest, PoliteFetch } from './polite-fetch.ts';

interface FollowOptions {
  readonly limit: number;
  /** Where a redirect may lead; wherever the guard allows when not given. */
  readonly within?: (url: URL) => boolean;
}

/**
 * Requests a URL and follows at most `limit` redirects; a further one, or one out of bounds, is the outcome itself. For
 * files such as robots.txt and sitemaps: `visit.ts` follows the redirects of pages.
 */
export async function followRedirects(
  politeFetch: PoliteFetch,
  url: string,
  request: FetchRequest,
  { limit, within = () => true }: FollowOptions,
): Promise<FetchOutcome> {
  let outcome = await politeFetch(url, request);
  let from = new URL(url);
  let { isAnonymous = false } = request;
  for (let hops = 0; outcome.kind === 'redirect' && hops < limit; hops++) {
    const to = new URL(outcome.to);
    if (!within(to)) return outcome;
    isAnonymous ||= !mayCarryOn(from, to, politeFetch.hasCredentials);
    outcome = await politeFetch(outcome.to, { ...request, isAnonymous });
    from = to;
  }
  return outcome;
}
