import { userAgent } from '../app/about.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../contract/errors.ts';
import { type FetchOutcome, isUnresolved } from '../crawl/fetch/fetch-outcome.ts';
import { followRedirects } from '../crawl/fetch/follow-redirects.ts';
import { createPoliteFetch } from '../crawl/fetch/polite-fetch.ts';
import { decodeRobots, maxRobotsBytes, parseRobots } from '../crawl/site/robots.ts';
import { canonicalUrl } from '../crawl/url/canonical-url.ts';
import type { FetchedFile } from '../extract/extract.ts';

const maxRedirects = 5;

/**
 * Fetches one page for a person, as politely and as guarded as the crawler: robots.txt first, also for the targets of
 * redirects. Throws a `ServiceError` with the reason when there is no page.
 */
export async function fetchOnce(
  target: string,
  config: Pick<Config, 'allowPrivate' | 'contact'>,
): Promise<FetchedFile> {
  const start = canonicalUrl(target);
  if (start === null)
    throw new ServiceError('invalid_parameters', `${target} is not a web address that can be asked`);
  const politeFetch = createPoliteFetch({
    userAgent: userAgent(config.contact),
    allowPrivate: config.allowPrivate,
  });
  const mayAsk = async (url: string): Promise<boolean> => {
    const request = { accept: 'text/plain, */*;q=0.5', maxBytes: maxRobotsBytes, truncate: true };
    const file = `${new URL(url).origin}/robots.txt`;
    const outcome = await followRedirects(politeFetch, file, request, { limit: maxRedirects });
    if (outcome.kind === 'ok') return parseRobots(decodeRobots(outcome.bytes)).allows(url);
    // RFC 9309 section 2.3.1: without the file everything is allowed; if it cannot be read, nothing is.
    if (outcome.kind === 'later' || (outcome.kind === 'never' && outcome.status === null))
      throw noPage(url, outcome, config.allowPrivate);
    return true;
  };
  try {
    let url = start;
    for (let hops = 0; hops <= maxRedirects; hops++) {
      if (!(await mayAsk(url)))
        throw new ServiceError(
          'unavailable',
          `The robots.txt of ${new URL(url).host} asks us not to read ${url}. Save the page and give the file.`,
        );
      const outcome = await politeFetch(url);
      if (outcome.kind === 'ok') return { url, bytes: outcome.bytes, contentType: outcome.contentType };
      const next = outcome.kind === 'redirect' ? canonicalUrl(outcome.to) : null;
      if (next === null) throw noPage(url, outcome, config.allowPrivate);
      url = next;
    }
    throw new ServiceError('unavailable', `${target} redirects more than ${maxRedirects} times`);
  } finally {
    await politeFetch.close();
  }
}

function noPage(url: string, outcome: FetchOutcome, allowPrivate: boolean): ServiceError {
  const why =
    'why' in outcome
      ? outcome.why
      : outcome.kind === 'gone'
        ? 'it is not there (404 or 410)'
        : 'no page came';
  const hint = isUnresolved(why)
    ? ': check the address, and the network and DNS of this machine'
    : !allowPrivate && /not a web port|not on the public internet/.test(why)
      ? ': hosts of your own network, and ports other than 80, 443, 8080 and 8443, need --allow-private'
      : '';
  return new ServiceError(outcome.kind === 'gone' ? 'not_found' : 'unavailable', `${url}: ${why}${hint}`);
}
