import type { FetchOutcome } from './fetch-outcome.ts';
import type { FetchRequest, PoliteFetch } from './polite-fetch.ts';

interface FollowOptions {
  readonly limit: number;
  /** Where a redirect may lead; anywhere that the guard allows when not given. */
  readonly within?: (url: URL) => boolean;
}

/**
 * Asks politely and follows at most `limit` redirects; one more, or one that leads where it may not, is the outcome
 * itself. For the files that a site has beside its pages: pages are followed by `visit.ts`.
 */
export async function followRedirects(
  politeFetch: PoliteFetch,
  url: string,
  request: FetchRequest,
  { limit, within = () => true }: FollowOptions,
): Promise<FetchOutcome> {
  let outcome = await politeFetch(url, request);
  for (let hops = 0; outcome.kind === 'redirect' && hops < limit; hops++) {
    if (!within(new URL(outcome.to))) return outcome;
    outcome = await politeFetch(outcome.to, request);
  }
  return outcome;
}
