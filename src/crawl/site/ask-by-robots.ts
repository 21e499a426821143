import type { FetchOutcome } from '../fetch/fetch-outcome.ts';
import { followRedirects } from '../fetch/follow-redirects.ts';
import type { FetchRequest, PoliteFetch } from '../fetch/polite-fetch.ts';
import { isSameSite } from '../url/same-site.ts';
import type { RobotsFor } from './robots-cache.ts';

/** Requests a file of a site, and follows redirects on it; null where robots.txt forbids it or is not known. */
export type AskByRobots = (url: string, request: FetchRequest) => Promise<FetchOutcome | null>;

const maxRedirects = 3;

export function createAskByRobots(politeFetch: PoliteFetch, robotsFor: RobotsFor): AskByRobots {
  return async (url, request) => {
    const answer = await robotsFor(url, request.signal);
    if (answer.kind !== 'known' || !answer.robots.allows(url)) return null;
    const { crawlDelaySeconds } = answer.robots;
    const { host } = new URL(url);
    const within = (to: URL) => isSameSite(to.host, host);
    const options = { limit: maxRedirects, within };
    return followRedirects(politeFetch, url, { ...request, crawlDelaySeconds }, options);
  };
}
