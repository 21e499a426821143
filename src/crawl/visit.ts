import { drawnByScripts } from '../extract/extracted.ts';
import { pageId } from '../store/page/page-id.ts';
import { decodeUnreserved } from '../store/page/unreserved.ts';
import type { PageStore, Writer } from '../store/page-store.ts';
import { createReadAnswer, isNoindex, type ReadAnswerParts } from './answer/read-answer.ts';
import { never, type Visit, type VisitOptions, withoutPage } from './answer/visit-result.ts';
import { mayCarryOn } from './credentials/credentials.ts';
import type { PoliteFetch } from './fetch/polite-fetch.ts';
import type { RobotsFor } from './site/robots-cache.ts';
import { canonicalUrl } from './url/canonical-url.ts';
import { type VisitRecord, visitsTable } from './visit-record.ts';

export type { Visit, VisitOptions } from './answer/visit-result.ts';

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

export interface VisitorParts extends ReadAnswerParts {
  readonly store: PageStore;
  readonly politeFetch: PoliteFetch;
  readonly robotsFor: RobotsFor;
}

/** `why` of a `never` by robots.txt. */
export const refusedByRobots = 'refused by robots.txt';

/** `why` of a `never` for a stored page that was read with credentials, where there are none now. */
const lacksCredentials = 'it was read with credentials, and there are none for it now';

/** Whether the page has no text without its scripts. */
export function hasOnlyScripts(visit: Visit): boolean {
  return visit.kind === 'never' && visit.why === drawnByScripts;
}

/** Whether a stored page at the visited URL has to leave the index. */
export function leavesIndex(visit: Visit): boolean {
  return visit.kind === 'gone' || (visit.kind === 'never' && isNoindex(visit.why));
}

const maxMoves = 5;

/** How one address on the way of a visit is read. */
interface HopOptions {
  /** Whether a canonical URL elsewhere is followed. */
  readonly trustCanonical: (elsewhere: string) => boolean;
  /** Whether credentials stay out of it. */
  readonly isAnonymous: boolean;
}

/** Reads one page: robots.txt, polite request, extraction, and the page's own rules for robots and its canonical URL. */
export function createVisitor(parts: VisitorParts): Visitor {
  const { store, politeFetch, robotsFor, now } = parts;
  const records = store.table<VisitRecord>(visitsTable);
  const readAnswer = createReadAnswer(parts);

  const recordOf = (id: string): VisitRecord | undefined => {
    const record = records.get(id);
    return record !== undefined && store.head(id)?.crawledAt === record.crawledAt ? record : undefined;
  };

  const visitOnce = async (
    url: string,
    options: VisitOptions,
    { trustCanonical, isAnonymous }: HopOptions,
  ): Promise<Visit> => {
    const { signal, within = () => true, conditional = () => true } = options;
    const answer = await robotsFor(url, signal);
    if (answer.kind === 'later') return { ...answer, wholeHost: true, answered: false };
    if (answer.kind === 'never') return never(answer.why);
    if (!answer.robots.allows(url)) return never(refusedByRobots);

    const id = pageId(url);
    const hasCredentials = !isAnonymous && politeFetch.hasCredentials(new URL(url));
    const wasPrivate = store.head(id)?.isPrivate === true;
    // Its site would show a form to log in, or say that there is no such page.
    if (wasPrivate && !hasCredentials) return never(lacksCredentials);
    const record = recordOf(id);
    const isUsable = record !== undefined && conditional(id) && wasPrivate === hasCredentials;
    const validators = isUsable ? record : undefined;
    const outcome = await politeFetch(url, {
      etag: validators?.etag,
      lastModified: validators?.lastModified,
      crawlDelaySeconds: answer.robots.crawlDelaySeconds,
      isAnonymous,
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
    if (outcome.kind !== 'ok') return withoutPage(outcome, url, hasCredentials);

    const isReachable = (to: string) => !hasCredentials || politeFetch.hasCredentials(new URL(to));
    return readAnswer(url, outcome, {
      ...options,
      within,
      trustCanonical: (elsewhere) => trustCanonical(elsewhere) && isReachable(elsewhere),
      record,
      isPrivate: hasCredentials,
      // What it asks for could come with credentials that the page itself did not get.
      mayReadMore: hasCredentials || !isAnonymous,
    });
  };

  return {
    async visit(url, options = {}) {
      const { within = () => true, claim = () => true } = options;
      const formerUrls: string[] = [];
      let current = canonicalUrl(url);
      if (current === null) return { url, visit: never('not the address of a page'), formerUrls };
      // An older version spelled the address of this page otherwise.
      if (current !== url && decodeUnreserved(url) === current) formerUrls.push(url);
      let byCanonical = false;
      const visited = new Set([current]);
      // Otherwise two pages that name each other canonical, or redirect to each other, would both be lost.
      const trustCanonical = (elsewhere: string) => !byCanonical && !visited.has(elsewhere);
      let isAnonymous = false;
      for (let moves = 0; ; moves++) {
        const visit = await visitOnce(current, options, { trustCanonical, isAnonymous });
        if (visit.kind !== 'moved') return { url: current, visit, formerUrls };
        const [from, to] = [new URL(current), new URL(visit.to)];
        isAnonymous ||= !mayCarryOn(from, to, politeFetch.hasCredentials);
        if (visited.has(visit.to)) return { url: current, visit: never('redirect loop'), formerUrls };
        if (moves === maxMoves) return { url: current, visit: never('too many redirects'), formerUrls };
        // Where credentials end there may be a form to log in, which takes no page's place.
        const isLoggedOut = politeFetch.hasCredentials(from) && !politeFetch.hasCredentials(to);
        if (visit.permanent && !isLoggedOut) formerUrls.push(current);
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
