import type { Extraction, FetchedFile } from '../../extract/extract.ts';
import { drawnByScripts, type ExtractedPage } from '../../extract/extracted.ts';
import { pageFromExtraction } from '../../extract/page-from-extraction.ts';
import type { Clock } from '../../runtime.ts';
import { pageId } from '../../store/page/page-id.ts';
import type { FetchOutcome } from '../fetch/fetch-outcome.ts';
import type { PoliteFetch } from '../fetch/polite-fetch.ts';
import type { ReadDrawnPage } from '../render/read-drawn-page.ts';
import { feedsOf } from '../site/feed.ts';
import { parseRobotsTag } from '../site/robots-tag.ts';
import { readUrlList } from '../site/sitemap.ts';
import { canonicalUrl } from '../url/canonical-url.ts';
import { recordFrom, type VisitRecord } from '../visit-record.ts';
import { canonicalElsewhere, linksOf } from './page-links.ts';
import { never, type Visit, type VisitOptions, visitLater } from './visit-result.ts';

type Answer = Extract<FetchOutcome, { kind: 'ok' }>;

export interface ReadAnswerParts {
  readonly extract: (fetched: FetchedFile) => Extraction | Promise<Extraction>;
  /** For pages that scripts draw; without it they are never read. */
  readonly readDrawnPage?: ReadDrawnPage | undefined;
  readonly politeFetch: Pick<PoliteFetch, 'hasCredentials'>;
  readonly now: Clock;
}

interface ReadAnswerOptions extends VisitOptions {
  readonly within: (url: string) => boolean;
  /** Whether a page may say that it is elsewhere. */
  readonly trustCanonical: (elsewhere: string) => boolean;
  /** What the last visit left. */
  readonly record: VisitRecord | undefined;
  /** Whether the answer came with credentials. */
  readonly isPrivate: boolean;
  /** Whether further files may be asked for, beside the page and by its scripts. */
  readonly mayReadMore: boolean;
}

/** `why` of a `never` for a feed or a sitemap: it is not stored, but its links are followed. */
export const listOfPages = 'a list of pages';
/** `why` of a `never` by `X-Robots-Tag` and by meta robots. */
const noindexByHeader = 'noindex (X-Robots-Tag)';
const noindexByPage = 'noindex (meta robots)';

/** Whether the site wants the page in no index, so that a stored page has to be removed. */
export function isNoindex(why: string): boolean {
  return why === noindexByHeader || why === noindexByPage;
}

/** Reads a site's answer to a visit: a list of pages, a page with its own rules, or one that its scripts draw. */
export function createReadAnswer({ extract, readDrawnPage, politeFetch, now }: ReadAnswerParts) {
  return async (url: string, answer: Answer, options: ReadAnswerOptions): Promise<Visit> => {
    // Before the bytes go to the extractor, which takes them over.
    const list = await readUrlList(answer.bytes, url);
    if (list !== undefined) return never(listOfPages, list);
    const feeds = options.feeds ? feedsOf(answer.bytes).flatMap((feed) => canonicalUrl(feed, url) ?? []) : [];
    const shell = readDrawnPage && options.mayReadMore ? shellOf(url, answer) : undefined;
    const extraction = await extract({ url, bytes: answer.bytes, contentType: answer.contentType });
    if (extraction.kind === 'unreadable') return never(extraction.why);
    const { page: extracted } = extraction;
    const first = byItsRules(extracted, url, answer, { ...options, moreLinks: feeds });
    if (first.kind !== 'follow') return first;
    const { isPrivate } = options;
    if (extraction.kind === 'page')
      return pageOf(extracted, first, { headers: answer.headers, isPrivate, rendered: false });

    const drawn = shell && (await readDrawnPage?.(shell, extracted, options.signal));
    switch (drawn?.kind) {
      case 'moved': {
        const to = canonicalUrl(drawn.to);
        if (to !== null && to !== url) return { kind: 'moved', to, permanent: false, by: 'redirect' };
        break;
      }
      case 'later':
        return visitLater(drawn);
      case 'twin':
      case 'rendered': {
        // What the scripts wrote about canonical URL and robots holds, too.
        const { links } = first;
        const again = byItsRules(drawn.page, url, answer, { ...options, moreLinks: links });
        if (again.kind !== 'follow') return again;
        const isTwinPrivate = drawn.kind === 'twin' && politeFetch.hasCredentials(new URL(drawn.url));
        return pageOf(drawn.page, again, {
          headers: {},
          isPrivate: isPrivate || isTwinPrivate,
          rendered: drawn.kind === 'rendered',
        });
      }
    }
    return { ...never(drawnByScripts, first.links), nofollowed: first.nofollowed };

    function pageOf(
      page: ExtractedPage,
      { links, nofollowed }: Followed,
      how: Pick<FoundPage, 'headers' | 'isPrivate' | 'rendered'>,
    ): Visit {
      return visitOf(page, { url, links, nofollowed, ...how, record: options.record });
    }
  };

  function visitOf(
    extracted: ExtractedPage,
    { url, links, nofollowed, headers, isPrivate, rendered, record }: FoundPage,
  ): Visit {
    const id = pageId(url);
    const page = pageFromExtraction(extracted, { id, url, crawledAt: now(), isPrivate });
    const fresh: VisitRecord = { ...recordFrom(page, headers), ...(rendered && { rendered }) };
    if (fresh.contentHash !== record?.contentHash)
      return { kind: 'page', page, links, nofollowed, record: fresh };
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
}

interface Followed {
  readonly kind: 'follow';
  readonly links: string[];
  readonly nofollowed: number;
}

interface FoundPage extends Omit<Followed, 'kind'> {
  readonly url: string;
  readonly headers: Answer['headers'];
  readonly isPrivate: boolean;
  readonly rendered: boolean;
  readonly record: VisitRecord | undefined;
}

/** What the page and its headers say of where it is, and of being indexed and followed. */
function byItsRules(
  extracted: ExtractedPage,
  url: string,
  { headers }: Answer,
  {
    within,
    trustCanonical,
    moreLinks,
  }: Pick<ReadAnswerOptions, 'within' | 'trustCanonical'> & { readonly moreLinks: readonly string[] },
): Visit | Followed {
  const elsewhere = canonicalElsewhere(extracted.canonical, url);
  if (elsewhere !== null && trustCanonical(elsewhere) && within(elsewhere))
    return { kind: 'moved', to: elsewhere, permanent: true, by: 'canonical' };
  const forwardsTo = canonicalUrl(extracted.forwardsTo ?? '');
  if (forwardsTo !== null && forwardsTo !== url)
    return { kind: 'moved', to: forwardsTo, permanent: true, by: 'redirect' };
  const tag = parseRobotsTag(headers['x-robots-tag']);
  const nofollow = tag.nofollow || extracted.robots.nofollow;
  const links = nofollow ? [] : [...new Set([...linksOf(extracted), ...moreLinks])];
  const nofollowed = extracted.links.filter((link) => nofollow || link.nofollow).length;
  if (tag.noindex) return { ...never(noindexByHeader, links), nofollowed };
  if (extracted.robots.noindex) return { ...never(noindexByPage, links), nofollowed };
  return { kind: 'follow', links, nofollowed };
}

/** A copy: the extractor takes the bytes over. */
function shellOf(url: string, { bytes, contentType, headers }: Answer) {
  return {
    url,
    bytes: bytes.slice(),
    contentType,
    contentSecurityPolicy: headers['content-security-policy'],
  };
}
