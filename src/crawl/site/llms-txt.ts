import { randomBytes } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import type { Clock } from '../../runtime.ts';
import { type SiteRecord, sitesTable } from '../../store/host/site-record.ts';
import type { PageStore } from '../../store/page-store.ts';
import type { FetchOutcome } from '../fetch/fetch-outcome.ts';
import type { PoliteFetch } from '../fetch/polite-fetch.ts';
import { canonicalUrl } from '../url/canonical-url.ts';
import { createAskByRobots } from './ask-by-robots.ts';
import type { RobotsFor } from './robots-cache.ts';

interface LlmsTxtOptions {
  readonly store: PageStore;
  readonly politeFetch: PoliteFetch;
  readonly robotsFor: RobotsFor;
  readonly now: Clock;
}

/**
 * Looks for the llms.txt of a URL's site, unless that was done a short time ago, and gives its links: canonical URLs
 * without duplicates. Rejects only with the signal's reason.
 */
export type CheckLlmsTxt = (url: string, signal?: AbortSignal) => Promise<readonly string[]>;

const dayMs = 24 * 60 * 60 * 1000;
const recheckMs = { yes: 7 * dayMs, no: 30 * dayMs, unknown: dayMs };
const maxBytes = 64 * 1024;
const minBytes = 20;
const accept = 'text/markdown, text/plain;q=0.9, */*;q=0.1';
const textTypes = /^\s*(text\/plain|text\/markdown|text\/x-markdown|application\/octet-stream)\s*(;|$)/i;

/**
 * Records for each site whether its root has a real llms.txt (llmstxt.org). "Not found" pages with status 200 are
 * recognized by their HTML, by their first line, and by a random sibling with the same answer. An undecided check leaves
 * the old value.
 */
export function createLlmsTxtCheck({ store, politeFetch, robotsFor, now }: LlmsTxtOptions): CheckLlmsTxt {
  const sites = store.table<SiteRecord>(sitesTable);
  /** `URL.host` -> links of the site's llms.txt. */
  const links = store.table<string[]>('llms-links');

  const askByRobots = createAskByRobots(politeFetch, robotsFor);
  const ask = (url: string, signal: AbortSignal | undefined, etag?: string) =>
    askByRobots(url, { accept, maxBytes, truncate: true, etag, signal });

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a list of early returns, one for each outcome of a request
  return async (url, signal) => {
    const { origin, host } = new URL(url);
    const site = sites.get(host);
    if (site !== undefined && now() < site.recheckAt) return links.get(host) ?? [];
    const outcome = await ask(`${origin}/llms.txt`, signal, site?.hasLlmsTxt ? site.etag : undefined);
    let state = verdict(outcome);
    if (state === 'yes' && outcome?.kind === 'ok') {
      const sibling = await ask(`${origin}/llms-${randomBytes(4).toString('hex')}.txt`, signal);
      if (sibling?.kind === 'ok' && Buffer.compare(sibling.bytes, outcome.bytes) === 0) state = 'no';
    }
    const etag = outcome?.kind === 'ok' ? outcome.headers.etag : site?.etag;
    const checkedAt = now();
    const record: SiteRecord = {
      hasLlmsTxt: state === 'unknown' ? (site?.hasLlmsTxt ?? false) : state === 'yes',
      checkedAt,
      recheckAt: checkedAt + recheckMs[state],
      ...(etag !== undefined && state !== 'no' && { etag }),
    };
    const fresh = outcome?.kind === 'ok' && state === 'yes' ? linksOf(outcome) : undefined;
    try {
      await store.write((writer) => {
        writer.put(sites, host, record);
        if (fresh !== undefined) writer.put(links, host, fresh);
        else if (state === 'no') writer.delete(links, host);
      });
    } catch (error) {
      // The next check tries again; the crawl reports failures of the store when it stores a page.
      if (!(error instanceof ServiceError)) throw error;
      return fresh ?? [];
    }
    return links.get(host) ?? [];
  };
}

function verdict(outcome: FetchOutcome | null): 'yes' | 'no' | 'unknown' {
  switch (outcome?.kind) {
    case 'ok':
      return isLlmsTxt(outcome) ? 'yes' : 'no';
    case 'notModified':
      return 'yes';
    case 'gone':
    case 'redirect':
      return 'no';
    default:
      return 'unknown';
  }
}

function isLlmsTxt({ url, contentType, bytes }: Extract<FetchOutcome, { kind: 'ok' }>): boolean {
  if (!new URL(url).pathname.endsWith('/llms.txt')) return false;
  if (contentType !== null && !textTypes.test(contentType)) return false;
  if (bytes.length < minBytes || bytes.includes(0)) return false;
  const text = decodeUtf8(bytes);
  if (text === null || /^\s*</.test(text) || /<(html|body)\b/i.test(text.slice(0, 1024))) return false;
  const afterFrontMatter = text.replace(/^\s*---\r?\n[\s\S]*?\n---[ \t]*(\r?\n|$)/, '');
  return /^\s*#\s+\S/.test(afterFrontMatter);
}

/** The links of a site's llms.txt; none when the answer is no such file. */
export function readLlmsLinks(outcome: FetchOutcome | null): string[] {
  return outcome?.kind === 'ok' && isLlmsTxt(outcome) ? linksOf(outcome) : [];
}

/** Markdown links, `[text](url)`, and bare URLs. */
function linksOf({ url, bytes }: Extract<FetchOutcome, { kind: 'ok' }>): string[] {
  const text = decodeUtf8(bytes) ?? '';
  const urls = new Set<string>();
  for (const [, inline, bare] of text.matchAll(
    /\]\(\s*<?([^\s)>]{1,2048})|(https?:\/\/[^\s)>\]"'`]{1,2048})/g,
  )) {
    const link = canonicalUrl(inline ?? (bare as string).replace(/[.,;:!?]+$/, ''), url);
    if (link !== null && urls.size < maxLinks) urls.add(link);
  }
  return [...urls];
}

const maxLinks = 1000;

/** Null for bytes that are not UTF-8. A body that was cut within a character is still UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: bytes.length >= maxBytes });
  } catch {
    return null;
  }
}
