import type { VisitedEntry } from '../commit-visit.ts';
import { isLeftAlone } from '../fetch/fetch-outcome.ts';
import type { Entry, Frontier, FrontierChange } from '../frontier.ts';
import { isRecent, rememberedVisit } from '../remembered-visit.ts';
import type { SitemapDates } from '../site/sitemap-dates.ts';
import type { LinkFilter } from '../url/link-filter.ts';
import type { UrlScope } from '../url/url-scope.ts';
import { createRepeatWatch, createVariantDedup } from '../url/variant-dedup.ts';
import type { Visit } from '../visit.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { HostCrawl } from './host-crawl.ts';
import { createHostSilence, isSilence } from './host-silence.ts';
import { maxAttempts, maxWaitSeconds, visitWithPatience } from './patient-visit.ts';
import { type Attempt, createRetryQueue } from './retry-queue.ts';
import { createUnanswered } from './unanswered.ts';

type Later = Extract<Visit, { kind: 'later' }>;

interface HostStepsParts {
  readonly commits: CommitQueue;
  readonly isWanted: UrlScope;
  readonly filter: LinkFilter;
  readonly dates: SitemapDates;
}

/** The steps of a crawl of one host: each takes one entry of the frontier to its visit and its commit. */
export interface HostSteps {
  /** The next entry, or one that is to be tried again and whose time has come; undefined when there is none. */
  next(): Promise<Attempt | undefined>;
  /** Says whether the page counts against the limit of pages. Rejects with the signal's reason. */
  run(attempt: Attempt): Promise<boolean>;
  /** Whether the host wants a pause that is longer than a crawl waits. */
  isAtRest(): boolean;
  /** Notes why the entries that got no answer stay queued. */
  noteUnanswered(): Promise<void>;
}

/** Pages in a row without an answer before the host counts as down. */
const maxFailuresInARow = 5;

const nothingFound = { links: [], movedTo: [], counts: false } as const;

export function createHostSteps(
  crawl: HostCrawl,
  { commits, isWanted, filter, dates }: HostStepsParts,
): HostSteps {
  const { frontier, maxDepth, tally, now, pages, signal } = crawl;
  const retries = createRetryQueue(crawl);
  const silence = createHostSilence(now);
  const unanswered = createUnanswered(crawl);
  const dedupVariants = createVariantDedup(crawl);
  const isWorthFollowing = createRepeatWatch();
  let failures = 0;
  let isAtRest = false;

  const recentVisit = (url: string) => {
    const last = frontier.passesOverRecent ? rememberedVisit(crawl, url) : undefined;
    return last && isRecent(last, now()) ? last.visit : undefined;
  };

  /** The last visit of a page that need not be requested: its sitemap says so, or it was read a short time ago. */
  const remembered = (entry: Entry): VisitedEntry | undefined => {
    const visit = entry.depth > 0 ? (dates.unchanged(entry.url) ?? recentVisit(entry.url)) : undefined;
    return visit && { entry, url: entry.url, visit, formerUrls: [], movedTo: [], isRemembered: true };
  };

  const rest = (url: string, visit: Later): void => {
    isAtRest = true;
    tally.leaveHost({ host: new URL(url).host, why: visit.why, until: now() + visit.seconds * 1000 });
    for (const visited of isSilence(visit) ? unanswered.takeGivenUp(silence.hasAnswered()) : [])
      commits.commit(visited, frontier.finish(visited.entry, nothingFound));
  };

  /** Whether the entry stays queued: for another attempt, or because the host is left alone. */
  const postpone = (visited: VisitedEntry, visit: Later, attempt: number): boolean => {
    const { why, seconds, wholeHost, answered } = visit;
    const leaveHost = (): true => {
      rest(visited.url, visit);
      return true;
    };
    // A robots.txt that cannot be read is no fault of the page.
    if (isSilence(visit) && (!wholeHost || isLeftAlone(why))) unanswered.add({ ...visited, links: [] });
    if (wholeHost || seconds > maxWaitSeconds) return leaveHost();
    // Other pages come first: this one may be slow or broken for reasons of its own.
    if (!answered && attempt === 1) failures += 1;
    if (failures >= maxFailuresInARow) return leaveHost();
    if (attempt >= maxAttempts) return false;
    if (silence.outlasts(seconds)) return leaveHost();
    const { entry } = visited;
    retries.add({ entry, attempt: attempt + 1, notBefore: now() + seconds * 1000 });
    return true;
  };

  /** Finishes the entry and queues its links. */
  const finish = async (visited: VisitedEntry): Promise<boolean> => {
    const { entry, visit, url } = visited;
    const isPage = visit.kind === 'page' || visit.kind === 'unchanged';
    const hasMoved = isPage && entry.depth === 0 && url !== entry.url;
    const newHome = hasMoved && !crawl.isCrawledElsewhere?.(url) ? frontier.addHome(url) : undefined;
    // The site is another one than the one that was looked at in the beginning.
    if (newHome !== undefined) await crawl.checkLlmsTxt?.(url, signal);
    const links = linksInScope(crawl, visit);
    const depth = entry.depth + 1;
    const followed = depth <= maxDepth && isWorthFollowing(visit) ? filter(links, { from: url, depth }) : [];
    const deduped = dedupVariants(visited);
    // The variant that is given up may be waiting for its commit.
    if (deduped.formerUrls.length > visited.formerUrls.length) await commits.soFar();
    const counts = isPage && deduped.visit === visit && !visited.isRemembered;
    unanswered.delete(entry);
    const change = frontier.finish(entry, { links: followed, movedTo: deduped.movedTo, counts });
    commits.commit({ ...deduped, links }, newHome === undefined ? change : both(newHome, change));
    return counts;
  };

  return {
    async next() {
      const entry = frontier.take(maxDepth);
      return entry === undefined ? retries.next() : { entry, attempt: 1 };
    },
    async run({ entry, attempt }) {
      if (entry.depth > 0 && !isWanted(entry.url)) {
        // Queued by an earlier run with another scope.
        commits.write(frontier.finish(entry, nothingFound));
        return false;
      }
      const visited = remembered(entry) ?? (await visitWithPatience(crawl, { entry, isWanted, silence }));
      if (!visited.isRemembered) pages.visited();
      if (visited.visit.kind !== 'later') failures = 0;
      else if (postpone(visited, visited.visit, attempt)) return false;
      return finish(visited);
    },
    isAtRest: () => isAtRest,
    noteUnanswered: unanswered.note,
  };
}

function linksInScope({ frontier, links }: HostCrawl, visit: Visit): string[] {
  if (visit.kind === 'unchanged' && visit.links === null) return onHosts(frontier, links.get(visit.id));
  return 'links' in visit ? onHosts(frontier, visit.links ?? []) : [];
}

/** The URLs that are on the hosts of the crawl. */
export function onHosts({ hosts }: Frontier, urls: readonly string[]): string[] {
  return urls.filter((url) => hosts.has(new URL(url).host));
}

function both(one: FrontierChange, other: FrontierChange): FrontierChange {
  return {
    write(writer) {
      one.write(writer);
      other.write(writer);
    },
    committed() {
      one.committed();
      other.committed();
    },
  };
}
