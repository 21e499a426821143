import { userAgent } from '../app/about.ts';
import { liveCredentials } from '../app/live/credentials-file.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../contract/errors.ts';
import { mayCarryOn } from '../crawl/credentials/credentials.ts';
import { type FetchOutcome, isUnresolved } from '../crawl/fetch/fetch-outcome.ts';
import { followRedirects } from '../crawl/fetch/follow-redirects.ts';
import { createPoliteFetch, type PoliteFetch } from '../crawl/fetch/polite-fetch.ts';
import { createPageParts, type PageParts } from '../crawl/render/page-parts.ts';
import { type AskByRobots, createAskByRobots } from '../crawl/site/ask-by-robots.ts';
import { allowAll, decodeRobots, maxRobotsBytes, parseRobots, type Robots } from '../crawl/site/robots.ts';
import type { RobotsFor } from '../crawl/site/robots-cache.ts';
import { canonicalUrl } from '../crawl/url/canonical-url.ts';
import type { FetchedFile } from '../extract/extract.ts';
import { sayOnStderr } from './output/say.ts';

const maxRedirects = 5;

/** A page that was fetched, and the way to further files of its site. */
export interface FetchedTarget extends FetchedFile {
  /** The value of its `X-Robots-Tag` header. */
  readonly robotsTag: string | undefined;
  /** Whether it came with credentials. */
  readonly isPrivate: boolean;
  readonly ask: AskByRobots;
  /** The header of the page's own policy. */
  readonly contentSecurityPolicy: string | undefined;
  /** What scripts of a page may ask for. */
  readonly partsOf: (pageUrl: string) => PageParts;
  close(): Promise<void>;
}

type FetchConfig = Pick<Config, 'allowPrivate' | 'contact' | 'credentials'>;

interface FetchOnceOptions {
  /** Keeps the pace of hosts over several of them; one of its own when not given. It is closed with the target. */
  readonly politeFetch?: PoliteFetch;
  /** The limit of what is fetched; that of a page when not given. */
  readonly maxBytes?: number;
}

/**
 * Fetches one page for a person, as politely and as guarded as the crawler: robots.txt first, also for the targets of
 * redirects. The caller closes it. Throws a `ServiceError` with the reason when there is no page.
 */
export async function fetchOnce(
  target: string,
  config: FetchConfig,
  options: FetchOnceOptions = {},
): Promise<FetchedTarget> {
  const { maxBytes } = options;
  const start = canonicalUrl(target);
  if (start === null)
    throw new ServiceError('invalid_parameters', `${target} is not a web address that can be asked`);
  const { politeFetch = openPoliteFetch(config) } = options;
  const robotsOf = async (url: string): Promise<Robots> => {
    const request = { accept: 'text/plain, */*;q=0.5', maxBytes: maxRobotsBytes, truncate: true };
    const file = `${new URL(url).origin}/robots.txt`;
    const outcome = await followRedirects(politeFetch, file, request, { limit: maxRedirects });
    if (outcome.kind === 'ok') return parseRobots(decodeRobots(outcome.bytes));
    // RFC 9309 section 2.3.1: without the file everything is allowed; if it cannot be read, nothing is.
    if (outcome.kind === 'later' || (outcome.kind === 'never' && outcome.status === null))
      throw noPage(url, outcome, config.allowPrivate);
    return allowAll;
  };
  const robotsFor: RobotsFor = async (url) => ({ kind: 'known', robots: await robotsOf(url) });
  const ask = createAskByRobots(politeFetch, robotsFor);
  const partsOf = createPageParts({ politeFetch, robotsFor, now: Date.now });
  try {
    let url = start;
    let isAnonymous = false;
    for (let hops = 0; hops <= maxRedirects; hops++) {
      if (!(await robotsOf(url)).allows(url))
        throw new ServiceError(
          'unavailable',
          `The robots.txt of ${new URL(url).host} asks us not to read ${url}. Save the page and give the file.`,
        );
      const request = { isAnonymous, ...(maxBytes !== undefined && { maxBytes }) };
      const outcome = await politeFetch(url, request);
      if (outcome.kind === 'ok') {
        const { bytes, contentType, headers } = outcome;
        const isPrivate = !isAnonymous && politeFetch.hasCredentials(new URL(url));
        const robotsTag = headers['x-robots-tag'];
        const contentSecurityPolicy = headers['content-security-policy'];
        const { close } = politeFetch;
        return { url, bytes, contentType, robotsTag, contentSecurityPolicy, isPrivate, ask, partsOf, close };
      }
      const next = outcome.kind === 'redirect' ? canonicalUrl(outcome.to) : null;
      if (next === null) throw noPage(url, outcome, config.allowPrivate);
      isAnonymous ||= !mayCarryOn(new URL(url), new URL(next), politeFetch.hasCredentials);
      url = next;
    }
    throw new ServiceError('unavailable', `${target} redirects more than ${maxRedirects} times`);
  } catch (error) {
    await politeFetch.close();
    throw error;
  }
}

function openPoliteFetch({ contact, allowPrivate, credentials }: FetchConfig): PoliteFetch {
  return createPoliteFetch({
    userAgent: userAgent(contact),
    allowPrivate,
    credentials: liveCredentials(credentials, { now: Date.now, warn: sayOnStderr }),
  });
}

function noPage(url: string, outcome: FetchOutcome, allowPrivate: Config['allowPrivate']): ServiceError {
  const why =
    'why' in outcome
      ? outcome.why
      : outcome.kind === 'gone'
        ? 'it is not there (404 or 410)'
        : 'no page came';
  const hint = isUnresolved(why)
    ? ': check the address, and the network and DNS of this machine'
    : allowPrivate !== true && /not a web port|not on the public internet/.test(why)
      ? ': hosts of your own network, and ports other than 80, 443, 8080 and 8443, need --allow-private or a rule in GLEANER_ALLOW_PRIVATE'
      : '';
  return new ServiceError(outcome.kind === 'gone' ? 'not_found' : 'unavailable', `${url}: ${why}${hint}`);
}
