import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { canonicalUrl } from './canonical-url.ts';
import { type ListedUrl, listed, parseFeed } from './feed.ts';
import { followRedirects } from './follow-redirects.ts';
import type { PoliteFetch } from './polite-fetch.ts';
import type { RobotsFor } from './robots-cache.ts';
import { localName, rootName } from './xml-name.ts';

/**
 * URLs that the sitemaps of a URL's site name, canonical, each once, at most `maxUrls`, with when they were last
 * changed where that is said. Rejects only with the signal's reason.
 */
export type SitemapUrls = (url: string, signal?: AbortSignal) => Promise<readonly ListedUrl[]>;

export interface Sitemap {
  /** Pages, their addresses as written. */
  readonly pages: readonly ListedUrl[];
  /** Addresses of further sitemaps, as written. */
  readonly sitemaps: readonly string[];
}

/** The protocol's own limit for one file (sitemaps.org). */
export const maxUrls = 50_000;
const maxBytes = 50 * 1024 * 1024;
const maxFiles = 100;
const maxRedirects = 5;
/** A file of 50 MB is read with turns of the event loop in between: so many UTF-16 units, so many URLs. */
const pieceLength = 128 * 1024;
const urlsAtOnce = 500;

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
    const pages = new Map<string, ListedUrl>();
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      if (files.size >= maxFiles || pages.size >= maxUrls) break;
      if (files.has(file)) continue;
      files.add(file);
      const sitemap = await read(file, signal);
      for (const [n, { url: written, lastModified }] of (sitemap?.pages ?? []).entries()) {
        if (n % urlsAtOnce === 0) await nextTurn();
        const [page] = canonical([written], file);
        if (page === undefined || pages.size >= maxUrls) continue;
        pages.set(page, { url: page, ...(lastModified !== undefined && { lastModified }) });
      }
      for (const further of canonical(sitemap?.sitemaps ?? [], file)) queue.push(further);
    }
    return [...pages.values()];
  };
}

function canonical(urls: readonly string[], base: string): string[] {
  return urls.flatMap((url) => canonicalUrl(url, base) ?? []);
}

const listRoots = new Set(['rss', 'feed', 'rdf', 'urlset', 'sitemapindex']);

/** The addresses in a feed or a sitemap that was asked for as a page; undefined for what is none. */
export async function readUrlList(bytes: Uint8Array, url: string): Promise<string[] | undefined> {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString();
  if (!listRoots.has(rootName(start))) return undefined;
  const { pages, sitemaps } = await parseSitemap(bytes);
  const urls = canonical([...pages.map(({ url }) => url), ...sitemaps], url);
  return [...new Set(urls)];
}

/**
 * The addresses in a sitemap, a sitemap index, a feed or a list of lines, gzipped or not. Takes any namespace, malformed XML
 * and more than one kind in a file; entities of a DTD are not expanded, and what unpacks to too much is empty.
 */
export async function parseSitemap(bytes: Uint8Array): Promise<Sitemap> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isGzip ? await unzip(bytes, { maxOutputLength: maxBytes }).catch(() => null) : bytes;
  if (plain === null) return { pages: [], sitemaps: [] };
  const text = new TextDecoder().decode(plain);
  if (/^\s*</.test(text)) {
    const feed = parseFeed(text);
    return feed === null ? parseXml(text) : { pages: feed, sitemaps: [] };
  }
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  const urls = lines.filter((line) => /^https?:\/\//i.test(line)).slice(0, maxUrls);
  return { pages: urls.map((url) => ({ url })), sitemaps: [] };
}

async function parseXml(text: string): Promise<Sitemap> {
  const lists: Record<string, ListedUrl[]> = { url: [], sitemap: [] };
  const open: string[] = [];
  let item: { loc?: string; lastmod?: string } = {};
  let value: string | undefined;
  const parser = new Parser(
    {
      onopentag(tag) {
        const name = localName(tag);
        if (name in lists) item = {};
        // A picture of a page has an address, too, but not one of a page.
        value = (open.at(-1) ?? '') in lists && (name === 'loc' || name === 'lastmod') ? '' : undefined;
        open.push(name);
      },
      ontext(piece) {
        if (value !== undefined) value += piece;
      },
      onclosetag() {
        const name = open.pop() ?? '';
        if (value !== undefined) item = { ...item, [name]: value.trim() };
        value = undefined;
        const list = lists[name];
        if (list !== undefined && item.loc !== undefined && list.length < maxUrls)
          list.push(listed(item.loc, item.lastmod));
        if (list !== undefined) item = {};
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let at = 0; at < text.length; at += pieceLength) {
    parser.write(text.slice(at, at + pieceLength));
    await nextTurn();
  }
  parser.end();
  const [pages = [], sitemaps = []] = [lists.url, lists.sitemap];
  return { pages, sitemaps: sitemaps.map(({ url }) => url) };
}
