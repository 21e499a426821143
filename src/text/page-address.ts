/** The parts of an address, as `URL` has them. */
export interface PageAddress {
  readonly host: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly search: string;
}

/** What `URL` leaves as it is: nearly all stored addresses. No port, no dot segments, no number for a host. */
const plain =
  /^https?:\/\/((?:[a-z\d-]+\.)+[a-z][a-z\d-]*)((?:\/(?!\.|%2e|%2E)[\w!$%&'()*+,.:;=@~-]*)+)(\?[\w!$%&()*+,.:;=@~/?-]+)?$/;

const maxCached = 2000;
const cache = new Map<string, PageAddress>();

/** The parts of a canonical URL, cached: a search needs those of dozens several times each. */
export function addressOf(url: string): PageAddress {
  const known = cache.get(url);
  if (known) return known;
  if (cache.size >= maxCached) cache.clear();
  const address = parseAddress(url);
  cache.set(url, address);
  return address;
}

/** Without `URL`, which takes far longer, if nothing has to be put right. */
function parseAddress(url: string): PageAddress {
  const match = plain.exec(url);
  if (!match) {
    const { host, hostname, pathname, search } = new URL(url);
    return { host, hostname, pathname, search };
  }
  const [, host = '', pathname = '', search = ''] = match;
  return { host, hostname: host, pathname, search };
}
