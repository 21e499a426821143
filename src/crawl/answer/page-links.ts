import type { ExtractedPage } from '../../extract/extracted.ts';
import { canonicalUrl } from '../url/canonical-url.ts';

/** Files that are never pages; they are not requested. */
const notPages =
  /\.(7z|aac|apk|avi|avif|bin|bmp|bz2|css|deb|dmg|eot|exe|flac|gif|gz|ico|iso|jar|jpe?g|js|m4a|m4v|mjs|mkv|mov|mp3|mp4|mpe?g|msi|ogg|otf|png|rar|rpm|svg|tar|tgz|tiff?|ttf|wasm|wav|webm|webp|whl|wmv|woff2?|xz|zip|zst)$/i;

/** Only on the same host, except for `www.`: some sites name a home page or an old host on all pages. */
export function canonicalElsewhere(canonical: string | null, url: string): string | null {
  const to = canonical === null ? null : canonicalUrl(canonical, url);
  if (to === null || to === url) return null;
  const [host, toHost] = [url, to].map((text) => new URL(text).host.replace(/^www\./, ''));
  return host === toHost ? to : null;
}

/** What of a page's links a crawl may follow: canonical URLs without duplicates. */
export function linksOf({ links }: ExtractedPage): string[] {
  const followed = links.flatMap(({ url, nofollow }) => (nofollow ? [] : (canonicalUrl(url) ?? [])));
  return [...new Set(followed)].filter((url) => !notPages.test(new URL(url).pathname));
}
