import type { Link } from './extracted.ts';
import type { HtmlTree } from './main-text/tree.ts';

/** Of one page. */
export const maxLinks = 10_000;
const maxUrlLength = 4096;

/** An absolute http(s) URL without fragment and credentials; null when there is none to be made. */
export function absoluteUrl(reference: string | undefined, base: string): string | null {
  const trimmed = reference?.trim();
  if (
    trimmed === undefined ||
    trimmed === '' ||
    trimmed.length > maxUrlLength ||
    !URL.canParse(trimmed, base)
  )
    return null;
  const url = new URL(trimmed, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href;
}

/** The URL that relative links start from: `<base href>` if it is usable, else the page's own. */
export function baseUrl(tree: HtmlTree, pageUrl: string): string {
  for (const { attributes } of tree.byTag.get('base') ?? []) {
    const base = absoluteUrl(attributes.href, pageUrl);
    if (base !== null) return base;
  }
  return pageUrl;
}

/** Where the page links to, each URL once, in document order, at most `maxLinks`; `nofollow` only if every link says so. */
export function readLinks(tree: HtmlTree, base: string): Link[] {
  const links = new Map<string, boolean>();
  for (const tag of ['a', 'area', 'frame', 'iframe']) {
    for (const { attributes } of tree.byTag.get(tag) ?? []) {
      if (links.size >= maxLinks) break;
      const isFrame = tag === 'frame' || tag === 'iframe';
      const reference = isFrame ? attributes.src : attributes.href;
      if (reference === undefined || reference.startsWith('#')) continue;
      const url = absoluteUrl(reference, base);
      if (url === null) continue;
      const nofollow = /(?:^|\s)(?:nofollow|ugc|sponsored)(?:\s|$)/i.test(attributes.rel ?? '');
      links.set(url, nofollow && (links.get(url) ?? true));
    }
  }
  return [...links].map(([url, nofollow]) => ({ url, nofollow }));
}
