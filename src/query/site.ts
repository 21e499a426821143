import type { Query, SiteQuery } from './query.ts';

const schemeOrSlashes = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;
const credentials = /^[^/?#]*@/;
const leadingWildcard = /^[*.]+/;
const dottedQuad = /^\d+\.\d+\.\d+\.\d+$/;

/** Whether the URL parser has turned a number into an IP address: it parses `site:2024` as 0.0.7.232. */
function isInventedAddress(hostname: string, value: string): boolean {
  return dottedQuad.test(hostname) && !value.startsWith(hostname);
}

/**
 * Parses the value of `site:` or of the `site` parameter: a host, optionally with scheme, credentials, port, a leading
 * `*.` and a path. The host is returned in lower case and punycode (WHATWG URL, host parsing). Undefined without a host.
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

/** Where one site ends and another begins: in a path, which may hold commas and spaces, only at both or before a scheme. */
const betweenSites = /([\s,]+)/;

/** Parses one site or several, with spaces or commas between them. Undefined when any of them has no host. */
export function parseSites(value: string): SiteQuery | Extract<Query, { kind: 'any' }> | undefined {
  // What looks like a list in a path may be none: then all of it is the path.
  return sitesOf(siteTexts(value, true)) ?? sitesOf(siteTexts(value, false));
}

/** The texts of the sites; where `splitsPaths`, also of those that begin after a path. */
function siteTexts(value: string, splitsPaths: boolean): string[] {
  const texts: string[] = [];
  const parts = value.trim().split(betweenSites);
  for (let index = 0; index < parts.length; index += 2) {
    const [separator = '', part = ''] = [parts[index - 1], parts[index]];
    const previous = texts.at(-1);
    const isInPath = previous !== undefined && /[/?#]/.test(previous.replace(schemeOrSlashes, ''));
    const looksLikeSite = part.includes('.') && parseSite(part) !== undefined;
    const mayBegin = splitsPaths && (schemeOrSlashes.test(part) || /,\s|\s,/.test(separator));
    const begins = !isInPath || (mayBegin && looksLikeSite);
    if (begins) texts.push(part);
    else texts[texts.length - 1] = `${previous}${separator}${part}`;
  }
  return texts.filter((text) => text !== '');
}

function sitesOf(texts: readonly string[]): ReturnType<typeof parseSites> {
  const sites = texts.map(parseSite);
  const of = sites.filter((each) => each !== undefined);
  if (of.length === 0 || of.length < sites.length) return undefined;
  return of.length === 1 ? of[0] : { kind: 'any', of };
}

/** Whether a host is the site's host or a subdomain of it; `notexample.com` does not match `example.com`. */
export function hostMatches(site: SiteQuery, hostname: string): boolean {
  return hostname === site.host || hostname.endsWith(`.${site.host}`);
}

/** Whether a page belongs to the site: the host matches at a label boundary, the path at a segment boundary. */
export function siteMatches(site: SiteQuery, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  if (!hostMatches(site, hostname.replace(/\.$/, ''))) return false;
  return site.path === '' || pathname === site.path || pathname.startsWith(`${site.path}/`);
}

/** Whether a query itself contains a site, required or excluded. */
export function mentionsSite(query: Query): boolean {
  switch (query.kind) {
    case 'site':
      return true;
    case 'not':
      return !query.isRule && mentionsSite(query.of);
    case 'all':
    case 'any':
      return query.of.some(mentionsSite);
    default:
      return false;
  }
}
