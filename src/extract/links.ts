import type { Link } from './extracted.ts';
import type { HtmlTree } from './main-text/tree.ts';

/** Of one page. */
export const maxLinks = 10_000;
const maxUrlLength = 4096;

/** An absolute http(s) URL without fragment and credentials; null for other references. */
export function absoluteUrl(reference: string | undefined, base: string): string | null {
  const trimmed = reference?.trim();
  if (trimmed === undefined || trimmed === '' || trimmed.length > maxUrlLength) return null;
  const url = parsed(trimmed, base);
  if (url === null) return null;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (trimmed.includes('#')) url.hash = '';
  if (url.href.includes('@')) {
    url.username = '';
    url.password = '';
  }
  return url.href;
}

/** `URL.parse` of later versions of Node. */
function parsed(reference: string, base: string): URL | null {
  try {
    return new URL(reference, base);
  } catch {
    return null;
  }
}

/** The base of relative links: a valid `<base href>`, otherwise the page's URL. */
export function baseUrl(tree: HtmlTree, pageUrl: string): string {
  for (const { attributes } of tree.byTag.get('base') ?? []) {
    const base = absoluteUrl(attributes.href, pageUrl);
    if (base !== null) return base;
  }
  return pageUrl;
}

/** A path, perhaps with a query, that no URL parser changes: no dot at the beginning of a segment, nothing to escape. */
const plainPath = /^\/(?:[\w~-][\w.~,;=+-]*\/)*(?:[\w~-][\w.~,;=+-]*)?(?:\?[\w.~,;=+%&-]*)?$/;

/** The URL of a reference to the same origin that is plain: to parse a URL costs microseconds. */
function plainUrl(reference: string, origin: string): string | undefined {
  if (origin === '') return undefined;
  const isWhole = reference.startsWith(origin);
  const path = isWhole ? reference.slice(origin.length) : reference;
  if (path.length > 1000 || !plainPath.test(path)) return undefined;
  return isWhole ? reference : origin + path;
}

/** The page's links without duplicates, in document order, at most 10,000; `nofollow` only if all links to a URL have it. */
export function readLinks(tree: HtmlTree, base: string): Link[] {
  const links = new Map<string, boolean>();
  // Pages repeat their links: to parse a URL costs more than to look it up.
  const resolved = new Map<string, string | null>();
  const origin = /^https?:\/\/(?:[a-z\d-]+\.)+[a-z]{2,}\//.exec(base)?.[0].slice(0, -1) ?? '';
  const resolve = (reference: string): string | null => {
    let url = resolved.get(reference);
    if (url === undefined) {
      url = plainUrl(reference, origin) ?? absoluteUrl(reference, base);
      resolved.set(reference, url);
    }
    return url;
  };
  for (const tag of ['a', 'area', 'frame', 'iframe']) {
    for (const { attributes } of tree.byTag.get(tag) ?? []) {
      if (links.size >= maxLinks) break;
      const isFrame = tag === 'frame' || tag === 'iframe';
      const reference = isFrame ? attributes.src : attributes.href;
      if (reference === undefined || reference.startsWith('#')) continue;
      const url = resolve(reference);
      if (url === null) continue;
      const nofollow = /(?:^|\s)(?:nofollow|ugc|sponsored)(?:\s|$)/i.test(attributes.rel ?? '');
      links.set(url, nofollow && (links.get(url) ?? true));
    }
  }
  return [...links].map(([url, nofollow]) => ({ url, nofollow }));
}
