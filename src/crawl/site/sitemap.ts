import { setImmediate as nextTurn } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import { followRedirects } from '../fetch/follow-redirects.ts';
import type { PoliteFetch } from '../fetch/polite-fetch.ts';
import { gunzipUpTo } from '../fetch/unpack-up-to.ts';
import { canonicalUrl } from '../url/canonical-url.ts';
import { type ListedUrl, listed, parseFeed } from './feed.ts';
import type { RobotsFor } from './robots-cache.ts';
import { localName, rootName } from './xml-name.ts';

/**
 * The URLs in the sitemaps of a URL's site: canonical, without duplicates, at most `maxUrls`, with the time of their last
 * change where it is given. `onGap` gets what was not read, except for a missing /sitemap.xml that robots.txt does not
 * name. Rejects only with the signal's reason.
 */
export type SitemapUrls = (
  url: string,
  signal?: AbortSignal,
  onGap?: (gap: SitemapGap) => void,
) => Promise<readonly ListedUrl[]>;

/** A sitemap that was not read, or only in part, and why. */
export interface SitemapGap {
  readonly url: string;
  readonly why: string;
}

export interface Sitemap {
  /** Pages, with URLs as written. */
  readonly pages: readonly ListedUrl[];
  /** URLs of further sitemaps, as written. */
  readonly sitemaps: readonly string[];
  /** Why some of its URLs are missing here; absent when none is. */
  readonly cut?: string;
}

/** The protocol's own limit for one file (sitemaps.org). */
export const maxUrls = 50_000;
const maxBytes = 50 * 1024 * 1024;
const maxFiles = 100;
const tooLong = 'only its first 50 MB were read';
const tooManyUrls = `only the first ${maxUrls.toLocaleString('en')} URLs were taken`;
const tooManyFiles = `only ${maxFiles} sitemaps of a site are read`;
const maxRedirects = 5;
/** UTF-16 units and URLs between two turns of the event loop: a file may have 50 MB. */
const pieceLength = 128 * 1024;
const urlsAtOnce = 500;

/** Reads the sitemaps that robots.txt names, otherwise /sitemap.xml, and follows index files. Skips what it cannot read. */
export function createSitemapReader(parts: { politeFetch: PoliteFetch; robotsFor: RobotsFor }): SitemapUrls {
  const { politeFetch, robotsFor } = parts;

  /** The sitemap, or why it cannot be read. */
  const read = async (url: string, signal?: AbortSignal): Promise<Sitemap | string> => {
    const answer = await robotsFor(url, signal);
    if (answer.kind !== 'known') return 'robots.txt could not be read';
    if (!answer.robots.allows(url)) return 'refused by robots.txt';
    const { crawlDelaySeconds } = answer.robots;
    const request = {
      accept: 'application/xml, text/xml, text/plain, */*;q=0.5',
      // One more than is read, to detect a longer file.
      maxBytes: maxBytes + 1,
      truncate: true,
      crawlDelaySeconds,
      signal,
    };
    const outcome = await followRedirects(politeFetch, url, request, { limit: maxRedirects });
    if (outcome.kind === 'ok') return parseSitemap(outcome.bytes);
    if (outcome.kind === 'gone') return 'not found';
    return outcome.kind === 'never' || outcome.kind === 'later' ? outcome.why : 'too many redirects';
  };

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: breadth first over sitemaps with a limit at each step
  return async (url, signal, onGap = () => {}) => {
    const { origin } = new URL(url);
    const answer = await robotsFor(url, signal);
    const named = answer.kind === 'known' ? answer.robots.sitemaps : [];
    const queue = canonical(named.length > 0 ? named : ['/sitemap.xml'], origin);
    const files = new Set<string>();
    const pages = new Map<string, ListedUrl>();
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      if (files.has(file)) continue;
      if (files.size >= maxFiles || pages.size >= maxUrls) {
        onGap({ url: file, why: files.size >= maxFiles ? tooManyFiles : tooManyUrls });
        break;
      }
      files.add(file);
      const sitemap = await read(file, signal);
      if (typeof sitemap === 'string') {
        if (named.length > 0 || files.size > 1) onGap({ url: file, why: sitemap });
        continue;
      }
      let gap = sitemap.cut;
      for (const [n, { url: written, lastModified }] of sitemap.pages.entries()) {
        if (n % urlsAtOnce === 0) await nextTurn();
        const [page] = canonical([written], file);
        if (page === undefined) continue;
        if (pages.size >= maxUrls && !pages.has(page)) gap ??= tooManyUrls;
        else pages.set(page, { url: page, ...(lastModified !== undefined && { lastModified }) });
      }
      if (gap !== undefined) onGap({ url: file, why: gap });
      for (const further of canonical(sitemap.sitemaps, file)) queue.push(further);
    }
    return [...pages.values()];
  };
}

function canonical(urls: readonly string[], base: string): string[] {
  return urls.flatMap((url) => canonicalUrl(url, base) ?? []);
}

const listRoots = new Set(['rss', 'feed', 'rdf', 'urlset', 'sitemapindex']);

/** The URLs in a feed or a sitemap that was requested as a page; undefined for other files. */
export async function readUrlList(bytes: Uint8Array, url: string): Promise<string[] | undefined> {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString();
  if (!listRoots.has(rootName(start))) return undefined;
  const { pages, sitemaps } = await parseSitemap(bytes);
  const urls = canonical([...pages.map((page) => page.url), ...sitemaps], url);
  return [...new Set(urls)];
}

/**
 * The URLs in a sitemap, a sitemap index, a feed or a list of lines, gzipped or not. Accepts any namespace, malformed XML
 * and more than one kind in a file; entities of a DTD are not expanded. Reads at most 50 MB, packed or not.
 */
export async function parseSitemap(bytes: Uint8Array): Promise<Sitemap> {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const plain = isGzip ? await gunzipUpTo(bytes, maxBytes + 1) : bytes;
  const isCut = plain.length > maxBytes;
  const sitemap = await parseText(new TextDecoder().decode(plain.subarray(0, maxBytes)), isCut);
  return isCut ? { cut: tooLong, ...sitemap } : sitemap;
}

async function parseText(text: string, isCut: boolean): Promise<Sitemap> {
  if (/^\s*</.test(text)) {
    const feed = parseFeed(text);
    return feed === null ? parseXml(text, isCut) : { pages: feed, sitemaps: [] };
  }
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  if (isCut) lines.pop();
  const urls = lines.filter((line) => /^https?:\/\//i.test(line));
  const pages = urls.slice(0, maxUrls).map((url) => ({ url }));
  return { pages, sitemaps: [], ...(urls.length > maxUrls && { cut: tooManyUrls }) };
}

async function parseXml(text: string, isCut: boolean): Promise<Sitemap> {
  const lists: Record<string, ListedUrl[]> = { url: [], sitemap: [] };
  const open: string[] = [];
  let item: { loc?: string; lastmod?: string } = {};
  let value: string | undefined;
  let cut: { cut: string } | undefined;
  const parser = new Parser(
    {
      onopentag(tag) {
        const name = localName(tag);
        if (name in lists) item = {};
        // An image of a page has a `loc` too, which is no page.
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
        if (list !== undefined && item.loc !== undefined) {
          if (list.length < maxUrls) list.push(listed(item.loc, item.lastmod));
          else cut = { cut: tooManyUrls };
        }
        if (list !== undefined) item = {};
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for (let start = 0; start < text.length; start += pieceLength) {
    parser.write(text.slice(start, start + pieceLength));
    await nextTurn();
  }
  // The end of the parser would close open elements, and a cut URL would count as whole.
  if (!isCut) parser.end();
  const [pages = [], sitemaps = []] = [lists.url, lists.sitemap];
  return { pages, sitemaps: sitemaps.map(({ url }) => url), ...cut };
}
