import { createHash } from 'node:crypto';
import type { Extraction, FetchedFile } from '../extract/extract.ts';
import type { ExtractedPage } from '../extract/extracted.ts';
import { pageFromExtraction } from '../extract/page-from-extraction.ts';
import type { Page } from '../page.ts';
import type { Clock } from '../runtime.ts';
import { pageId } from '../store/page/page-id.ts';
import type { PageStore, Writer } from '../store/page-store.ts';
import { type FetchOutcome, type Headers, isLeftAlone } from './fetch/fetch-outcome.ts';
import type { PoliteFetch } from './fetch/polite-fetch.ts';
import { feedsOf } from './site/feed.ts';
import type { RobotsFor } from './site/robots-cache.ts';
import { parseRobotsTag } from './site/robots-tag.ts';
import { readUrlList } from './site/sitemap.ts';
import { canonicalUrl } from './url/canonical-url.ts';

/**
 * The result of a visit, named by what happens next. Links are canonical URLs without duplicates; `nofollowed` is the
 * number of links that the site asks not to follow.
 */
export type Visit =
  | {
      readonly kind: 'page';
      readonly page: Page;
      readonly links: readonly string[];
      readonly nofollowed: number;
      readonly record: VisitRecord;
    }
  /** The page is at `to`; `permanent` means that the old URL is not to be used again. */
  | {
      readonly kind: 'moved';
      readonly to: string;
      readonly permanent: boolean;
      /** `form`: the same page under another spelling of its path, recognized by its content. */
      readonly by: 'redirect' | 'canonical' | 'form';
    }
  /** The stored page is up to date. `links` is null when the site answered "not modified" without the page. */
  | {
      readonly kind: 'unchanged';
      readonly id: string;
      readonly links: readonly string[] | null;
      readonly nofollowed: number;
      readonly record: VisitRecord;
      /** As in `Page`; absent if the site answered without the page. */
      readonly structure?: string;
    }
  /** `wholeHost`: the pause is for all pages of the host. */
  | {
      readonly kind: 'later';
      readonly seconds: number;
      readonly why: string;
      readonly wholeHost: boolean;
      /** Whether the site itself answered. */
      readonly answered: boolean;
    }
  | { readonly kind: 'gone' }
  /** Not to be stored; `links` are those of a page that may be followed but not stored. */
  | {
      readonly kind: 'never';
      readonly why: string;
      readonly links: readonly string[];
      readonly nofollowed: number;
    };

/** What a visit leaves for the next one. Valid only for the stored page with the same `crawledAt`. */
export interface VisitRecord {
  readonly crawledAt: number;
  readonly contentHash: string;
  readonly etag?: string;
  readonly lastModified?: string;
}

export interface VisitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Where the page may move to; a canonical URL outside is ignored. Anywhere when not given. */
  readonly within?: (url: string) => boolean;
  /** False for a move to a page that has its own visit; called after `within`. */
  readonly claim?: (url: string) => boolean;
  /** Whether the page's feeds are added to its links. */
  readonly feeds?: boolean;
  /** Whether "not modified" is enough for the page of this id: that answer does not show its links. */
  readonly conditional?: (id: string) => boolean;
}

export interface FollowedVisit {
  /** The canonical URL that was visited last. */
  readonly url: string;
  readonly visit: Visit;
  /** URLs on the way from which the page has moved permanently. */
  readonly formerUrls: readonly string[];
}

export interface Visitor {
  /** Visits one page and follows at most five moves. Rejects only with the signal's reason. */
  visit(url: string, options?: VisitOptions): Promise<FollowedVisit>;
  /** The record of the visit that stored the page of this id, if there is one. */
  recordOf(id: string): VisitRecord | undefined;
  /** Stores the record of a visit, in the writer's transaction. */
  remember(writer: Writer, id: string, record: VisitRecord): void;
}

export interface VisitorParts {
  readonly store: PageStore;
  readonly politeFetch: PoliteFetch;
  readonly robotsFor: RobotsFor;
  readonly extract: (fetched: FetchedFile) => Extraction | Promise<Extraction>;
  readonly now: Clock;
}

/** `why` of a `never` by robots.txt. */
export const refusedByRobots = 'refused by robots.txt';
/** `why` of a `never` for a feed or a sitemap: it is not stored, but its links are followed. */
export const listOfPages = 'a list of pages';
/** `why` of a `never` by `X-Robots-Tag` and by meta robots. */
const noindexByHeader = 'noindex (X-Robots-Tag)';
const noindexByPage = 'noindex (meta robots)';

/** Whether the site wants the page in no index, so that a stored page has to be removed. */
export function isNoindex(why: string): boolean {
  return why === noindexByHeader || why === noindexByPage;
}

/** Whether a stored page at the visited URL has to leave the index. */
export function leavesIndex(visit: Visit): boolean {
  return visit.kind === 'gone' || (visit.kind === 'never' && isNoindex(visit.why));
}

const maxMoves = 5;

/** Files that are never pages; they are not requested. */
const notPages =
  /\.(7z|aac|apk|avi|avif|bin|bmp|bz2|css|deb|dmg|eot|exe|flac|gif|gz|ico|iso|jar|jpe?g|js|m4a|m4v|mjs|mkv|mov|mp3|mp4|mpe?g|msi|ogg|otf|png|rar|rpm|svg|tar|tgz|tiff?|ttf|wasm|wav|webm|webp|whl|wmv|woff2?|xz|zip|zst)$/i;

/** Reads one page: robots.txt, polite request, extraction, and the page's own rules for robots and its canonical URL. */
export function createVisitor({ store, politeFetch, robotsFor, extract, now }: VisitorParts): Visitor {
  const records = store.table<VisitRecord>('visits');

  const recordOf = (id: string): VisitRecord | undefined => {
    const record = records.get(id);
    return record !== undefined && store.head(id)?.crawledAt === record.crawledAt ? record : undefined;
  };

  const visitOnce = async (
    url: string,
    options: VisitOptions,
    trustCanonical: (elsewhere: string) => boolean,
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a list of early returns, one for each outcome of a visit
  ): Promise<Visit> => {
    const { signal, within = () => true, conditional = () => true } = options;
    const answer = await robotsFor(url, signal);
    if (answer.kind === 'later') return { ...answer, wholeHost: true, answered: false };
    if (answer.kind === 'never') return never(answer.why);
    if (!answer.robots.allows(url)) return never(refusedByRobots);

    const id = pageId(url);
    const record = recordOf(id);
    const validators = record !== undefined && conditional(id) ? record : undefined;
    const outcome = await politeFetch(url, {
      etag: validators?.etag,
      lastModified: validators?.lastModified,
      crawlDelaySeconds: answer.robots.crawlDelaySeconds,
      signal,
    });
    if (outcome.kind === 'notModified' && validators !== undefined) {
      return {
        kind: 'unchanged',
        id,
        links: null,
        nofollowed: 0,
        record: { ...validators, crawledAt: now() },
      };
    }
    if (outcome.kind !== 'ok') return withoutPage(outcome, url);

    // Before the bytes go to the extractor, which takes them over.
    const list = await readUrlList(outcome.bytes, url);
    if (list !== undefined) return never(listOfPages, list);
    const feeds = options.feeds
      ? feedsOf(outcome.bytes).flatMap((feed) => canonicalUrl(feed, url) ?? [])
      : [];
    const extraction = await extract({ url, bytes: outcome.bytes, contentType: outcome.contentType });
    if (extraction.kind === 'unreadable') return never(extraction.why);
    const { page: extracted } = extraction;
    const elsewhere = canonicalElsewhere(extracted.canonical, url);
    if (elsewhere !== null && trustCanonical(elsewhere) && within(elsewhere))
      return { kind: 'moved', to: elsewhere, permanent: true, by: 'canonical' };
    const forwardsTo = canonicalUrl(extracted.forwardsTo ?? '');
    if (forwardsTo !== null && forwardsTo !== url)
      return { kind: 'moved', to: forwardsTo, permanent: true, by: 'redirect' };

    const tag = parseRobotsTag(outcome.headers['x-robots-tag']);
    const nofollow = tag.nofollow || extracted.robots.nofollow;
    const links = nofollow ? [] : [...new Set([...linksOf(extracted), ...feeds])];
    const nofollowed = extracted.links.filter((link) => nofollow || link.nofollow).length;
    if (tag.noindex) return { ...never(noindexByHeader, links), nofollowed };
    if (extracted.robots.noindex) return { ...never(noindexByPage, links), nofollowed };
    const page = pageFromExtraction(extracted, { id, url, crawledAt: now() });
    const fresh = recordFrom(page, outcome.headers);
    if (fresh.contentHash === record?.contentHash) {
      const { structure } = page;
      return {
        kind: 'unchanged',
        id,
        links,
        nofollowed,
        record: fresh,
        ...(structure !== undefined && { structure }),
      };
    }
    return { kind: 'page', page, links, nofollowed, record: fresh };
  };

  return {
    async visit(url, options = {}) {
      const { within = () => true, claim = () => true } = options;
      const formerUrls: string[] = [];
      let current = canonicalUrl(url);
      if (current === null) return { url, visit: never('not the address of a page'), formerUrls };
      let byCanonical = false;
      const visited = new Set([current]);
      // Otherwise two pages that name each other canonical, or redirect to each other, would both be lost.
      const trustCanonical = (elsewhere: string) => !byCanonical && !visited.has(elsewhere);
      for (let moves = 0; ; moves++) {
        const visit = await visitOnce(current, options, trustCanonical);
        if (visit.kind !== 'moved') return { url: current, visit, formerUrls };
        if (visited.has(visit.to)) return { url: current, visit: never('redirect loop'), formerUrls };
        if (moves === maxMoves) return { url: current, visit: never('too many redirects'), formerUrls };
        if (visit.permanent) formerUrls.push(current);
        if (!within(visit.to) || !claim(visit.to)) return { url: current, visit, formerUrls };
        byCanonical ||= visit.by === 'canonical';
        current = visit.to;
        visited.add(current);
      }
    },
    recordOf,
    remember: (writer, id, record) => writer.put(records, id, record),
  };
}

function never(why: string, links: readonly string[] = []): Extract<Visit, { kind: 'never' }> {
  return { kind: 'never', why, links, nofollowed: 0 };
}

function withoutPage(outcome: Exclude<FetchOutcome, { kind: 'ok' }>, url: string): Visit {
  switch (outcome.kind) {
    case 'redirect': {
      const to = canonicalUrl(outcome.to);
      if (to === null) return never('redirect to no page');
      return to === url
        ? never('redirect to itself')
        : { kind: 'moved', to, permanent: outcome.permanent, by: 'redirect' };
    }
    case 'later': {
      const { seconds, why, status } = outcome;
      return {
        kind: 'later',
        seconds,
        why,
        wholeHost: status === 429 || status === 503 || isLeftAlone(why),
        answered: status !== null,
      };
    }
    case 'notModified':
      return never('status 304');
    case 'gone':
      return outcome;
    case 'never':
      return never(outcome.why);
  }
}

/** Only on the same host, except for `www.`: some sites name a home page or an old host on all pages. */
function canonicalElsewhere(canonical: string | null, url: string): string | null {
  const to = canonical === null ? null : canonicalUrl(canonical, url);
  if (to === null || to === url) return null;
  const [host, toHost] = [url, to].map((text) => new URL(text).host.replace(/^www\./, ''));
  return host === toHost ? to : null;
}

function linksOf({ links }: ExtractedPage): string[] {
  const followed = links.flatMap(({ url, nofollow }) => (nofollow ? [] : (canonicalUrl(url) ?? [])));
  return [...new Set(followed)].filter((url) => !notPages.test(new URL(url).pathname));
}

/** The hash is of the stored content, not of the bytes or links: tokens and advertisements change with every answer. */
function recordFrom({ id, url, crawledAt, structure: _, ...content }: Page, headers: Headers): VisitRecord {
  const { etag, 'last-modified': lastModified } = headers;
  return {
    crawledAt,
    contentHash: createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22),
    ...(etag !== undefined && { etag }),
    ...(lastModified !== undefined && { lastModified }),
  };
}
