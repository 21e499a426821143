import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { canonicalUrl } from './canonical-url.ts';
import { followRedirects } from './follow-redirects.ts';
import type { PoliteFetch } from './polite-fetch.ts';
import type { RobotsFor } from './robots-cache.ts';

/** URLs that the sitemaps of a URL's site name, canonical, each once, at most `maxUrls`. Rejects only with the signal's reason. */
export type SitemapUrls = (url: string, signal?: AbortSignal) => Promise<readonly string[]>;

export interface Sitemap {
  /** Addresses of pages, as written. */
  readonly pages: readonly string[];
  /** Addresses of further sitemaps, as written. */
  readonly sitemaps: readonly string[];
}

/** The protocol's own limit for one file (sitemaps.org). */
export const maxUrls = 50_000;
const maxBytes = 50 * 1024 * 1024;
const maxFiles = 100;
const maxRedirects = 5;

const unzip = promisify(gunzip);

/** Reads the sitemaps that robots.txt names, else /sitemap.xml, and through index files. What cannot be read is left out. */
export function createSitemapReader(parts: { politeFetch: PoliteFetch; robotsFor: RobotsFor }): SitemapUrls {
  const { politeFetch, robotsFor } = parts;

  const read = async (url: string, signal?: AbortSignal): Promise<Sitemap | null> => {
    const answer = await robotsFor(url, signal);
    if (answer.kind !== 'known' || !answer.robots.allows(url)) return null;
    const { crawlDelaySeconds } = answer.robots;
    const request = {
      accept: 'application/xml, text/xml, text/plain, */*;q=0.5',
      maxBytes,
      crawlDelaySeconds,
      signal,
    };
    const outcome = await followRedirects(politeFetch, url, request, { limit: maxRedirects });
    return outcome.kind === 'ok' ? parseSitemap(outcome.bytes) : null;
  };

  return async (url, signal) => {
    const { origin } = new URL(url);
    const answer = await robotsFor(url, signal);
    const named = answer.kind === 'known' ? answer.robots.sitemaps : [];
    const queue = canonical(named.length > 0 ? named : ['/sitemap.xml'], origin);
    const files = new Set<string>();
    const pages = new Set<string>();
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      if (files.size >= maxFiles || pages.size >= maxUrls) break;
      if (files.has(file)) continue;
      files.add(file);
      const sitemap = await read(file, signal);
      for (const page of canonical(sitemap?.pages ?? [], file)) if (pages.size < maxUrls) pages.add(page);
      for (const further of canonical(sitemap?.sitemaps ?? [], file)) queue.push(further);
    }
    return [...pages];
  };
}

function canonical(urls: readonly string[], base: string): string[] {
  return urls.flatMap((url) => canonicalUrl(url, base) ?? []);
}

/**
 * The addresses in a sitemap, a sitemap index or a list of lines, gzipped or not. Takes any namespace, malformed XML
 * and more than one kind in a file; entities of a DTD are not expanded, and what unpacks to too much is empty.
 */
export async function parseSitemap(bytes: Uint8Array): Promise<Sitemap> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isGzip ? await unzip(bytes, { maxOutputLength: maxBytes }).catch(() => null) : bytes;
  if (plain === null) return { pages: [], sitemaps: [] };
  const text = new TextDecoder().decode(plain);
  if (/^\s*</.test(text)) return parseXml(text);
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  return { pages: lines.filter((line) => /^https?:\/\//i.test(line)).slice(0, maxUrls), sitemaps: [] };
}

function parseXml(text: string): Sitemap {
  const lists: Record<string, string[]> = { url: [], sitemap: [] };
  const open: string[] = [];
  let address: string | undefined;
  const parser = new Parser(
    {
      onopentagname(tag) {
        // A picture of a page has an address, too, but not one of a page.
        if (localName(tag) === 'loc' && (open.at(-1) ?? '') in lists) address = '';
        open.push(localName(tag));
      },
      ontext(piece) {
        if (address !== undefined) address += piece;
      },
      onclosetag() {
        open.pop();
        const list = lists[open.at(-1) ?? ''];
        if (address !== undefined && list !== undefined && list.length < maxUrls) list.push(address.trim());
        address = undefined;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(text);
  const [pages = [], sitemaps = []] = [lists.url, lists.sitemap];
  return { pages, sitemaps };
}

/** Whatever the prefix says: many sitemaps have a wrong namespace or none. */
function localName(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1).toLowerCase();
}
