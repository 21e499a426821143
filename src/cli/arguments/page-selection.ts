import { ServiceError } from '../../contract/errors.ts';
import { canonicalUrl } from '../../crawl/url/canonical-url.ts';
import { hostMatches, parseSite, siteMatches } from '../../query/site.ts';

/** Which pages a person names on the command line: one page, all below a prefix, or a site. */
export interface PageSelection {
  readonly kind: 'page' | 'prefix' | 'site';
  /** How messages name it; for a page, its canonical URL. */
  readonly name: string;
  /** Whether a page of this URL is selected. Takes canonical URLs and `file:` URLs. */
  has(url: string): boolean;
  /** Whether the selection lies on this host (`URL.host`) or spans it. */
  hasHost(host: string): boolean;
  /** Whether the site is a name without a dot: as a rule not a site, but what many sites end with. */
  readonly isBareName: boolean;
}

/**
 * - `https://host/page`, `file:///folder/page`: this page and no other.
 * - `https://host/folder/*`, `file:///folder/*` (or with a slash at its end): all pages below, on this host and port.
 * - `host`, `host:port`, `host/folder`: the site with its subdomains; on all ports unless one is given.
 *
 * Throws a `ServiceError` (`invalid_parameters`) for anything else.
 */
export function parsePageSelection(text: string): PageSelection {
  if (/^https?:/i.test(text)) return text.endsWith('/*') ? webPrefix(text) : webPage(text);
  if (/^file:/i.test(text)) return fileSelection(text);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw notSelectable(text);
  return site(text);
}

function webPage(text: string): PageSelection {
  const url = canonicalUrl(text);
  if (url === null) throw notSelectable(text);
  const { host } = new URL(url);
  return { kind: 'page', name: url, has: (other) => other === url, hasHost: is(host), isBareName: false };
}

function webPrefix(text: string): PageSelection {
  const prefix = canonicalUrl(text.slice(0, -1));
  if (prefix === null || !prefix.endsWith('/')) throw notSelectable(text);
  const { host } = new URL(prefix);
  return {
    kind: 'prefix',
    name: `${prefix}*`,
    has: (other) => other.startsWith(prefix),
    hasHost: is(host),
    isBareName: false,
  };
}

/** Pages of files have no host. */
function fileSelection(text: string): PageSelection {
  const url = text.replace(/\*$/, '');
  const isPrefix = url.endsWith('/');
  if (!URL.canParse(url) || (!isPrefix && url !== text)) throw notSelectable(text);
  return {
    kind: isPrefix ? 'prefix' : 'page',
    name: text,
    has: isPrefix ? (other) => other.startsWith(url) : is(url),
    hasHost: is(''),
    isBareName: false,
  };
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

function site(text: string): PageSelection {
  const wanted = parseSite(text.replace(/\/\*$/, '/'));
  if (!wanted) throw notSelectable(text);
  const port = /^(?:[^/@]*@)?[^/]*:(\d+)(?:\/|$)/.exec(text)?.[1];
  const hasPort = (url: URL): boolean =>
    port === undefined || (url.port || defaultPorts[url.protocol]) === String(Number(port));
  const { host } = wanted;
  return {
    kind: 'site',
    name: text,
    has: (url) => siteMatches(wanted, url) && hasPort(new URL(url)),
    hasHost: (other) =>
      ['http', 'https'].some((scheme) => {
        const url = new URL(`${scheme}://${other || 'invalid.'}`);
        return hostMatches(wanted, url.hostname) && hasPort(url);
      }),
    isBareName: !host.includes('.') && !host.startsWith('[') && host !== 'localhost',
  };
}

function is(one: string): (other: string) => boolean {
  return (other) => other === one;
}

function notSelectable(text: string): ServiceError {
  return new ServiceError(
    'invalid_parameters',
    `${text} names no page and no site: give a URL (https://example.com/page), all below one (https://example.com/docs/*) or a site (example.com, example.com/docs)`,
  );
}
