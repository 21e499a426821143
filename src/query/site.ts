import type { Query, SiteQuery } from './query.ts';

const schemeOrSlashes = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;
const credentials = /^[^/?#]*@/;
const leadingWildcard = /^[*.]+/;
const dottedQuad = /^\d+\.\d+\.\d+\.\d+$/;

/** Whether the URL parser made an address of what was no address: it reads `site:2024` as 0.0.7.232. */
function isInventedAddress(hostname: string, value: string): boolean {
  return dottedQuad.test(hostname) && !value.startsWith(hostname);
}

/**
 * Reads the value of `site:` or of the `site` parameter: a host, perhaps with a scheme, credentials, a port,
 * a leading `*.` and a path. The host comes back in lower case and punycode (WHATWG URL, host parsing).
 * Undefined when no host is left of it.
 */
export function parseSite(value: string): SiteQuery | undefined {
  const bare = value
    .trim()
    .replace(schemeOrSlashes, '')
    .replace(credentials, '')
    .replace(leadingWildcard, '');
  const url = `http://${bare}`;
  if (bare.startsWith('/') || !URL.canParse(url)) return undefined;
  const { hostname, pathname } = new URL(url);
  const host = hostname.replace(/\.+$/, '');
  if (host === '' || isInventedAddress(host, bare)) return undefined;
  return { kind: 'site', host, path: pathname.replace(/\/+$/, '') };
}

/** Whether a host is the site's host or a subdomain of it; `notexample.com` is not within `example.com`. */
export function hostMatches(site: SiteQuery, hostname: string): boolean {
  return hostname === site.host || hostname.endsWith(`.${site.host}`);
}

/** Whether a page lies within the site: host at a label border, path at a segment border. */
export function siteMatches(site: SiteQuery, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  if (!hostMatches(site, hostname.replace(/\.$/, ''))) return false;
  return site.path === '' || pathname === site.path || pathname.startsWith(`${site.path}/`);
}

/** Whether a query is about pages of some site, or about all but those of one. */
export function mentionsSite(query: Query): boolean {
  switch (query.kind) {
    case 'site':
      return true;
    case 'not':
      return mentionsSite(query.of);
    case 'all':
    case 'any':
      return query.of.some(mentionsSite);
    default:
      return false;
  }
}
