import type { Sleep } from '../async/sleep.ts';
import { createFindingKeeper, type Finding, type FindingKeeperParts } from './commit-visit.ts';
import { isLeftAlone } from './fetch/fetch-outcome.ts';
import { createHostSilence, type HostSilence, isSilence } from './fetch/host-silence.ts';
import { createUnanswered } from './fetch/unanswered.ts';
import type { Entry, Frontier, FrontierChange } from './frontier.ts';
import type { PageBudget } from './page-budget.ts';
import { isRecent, rememberedVisit } from './remembered-visit.ts';
import type { CheckLlmsTxt } from './site/llms-txt.ts';
import type { SitemapUrls } from './site/sitemap.ts';
import { createSitemapDates } from './site/sitemap-dates.ts';
import type { HostPages } from './time-left.ts';
import { createLinkFilter } from './url/link-filter.ts';
import { createUrlScope, type UrlScope } from './url/url-scope.ts';
import { createRepeatWatch, createSamePage } from './url/variant-dedup.ts';
import type { Visit } from './visit.ts';

export interface ScopeCrawl extends FindingKeeperParts {
  readonly seeds: readonly string[];
  readonly frontier: Frontier;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly samePath?: boolean;
  readonly checkLlmsTxt?: CheckLlmsTxt;
  readonly sitemapUrls?: SitemapUrls;
  readonly budget: PageBudget;
  readonly pages: HostPages;
  readonly maxDepth: number;
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
  readonly onPause: ((pause: HostPause) => void) | undefined;
}

/** A host is left alone for a while, and the crawl of it waits. */
export interface HostPause {
  readonly host: string;
  readonly why: string;
  readonly seconds: number;
}

/** How often a page is asked for that may come later. */
const maxAttempts = 3;
/** A host that wants to be left alone for longer ends its part of the run. */
const longestWaitSeconds = 600;
/** So many pages in a row without an answer, and the host counts as down. */
const maxFailuresInARow = 5;
/** Of the 50,000 URLs that a sitemap may name: a transaction of all of them would hold up everything else. */
const queuedAtOnce = 500;
/** Pages that may wait for their commit while the next one is already asked for. */
const maxUncommitted = 32;

/**
 * Crawls what one frontier holds until it is empty, the budget is used up, the host wants a rest, or the signal ends
 * it. Rejects when storing fails.
 */
export async function crawlScope(scope: ScopeCrawl): Promise<void> {
  const { frontier, budget, store, maxDepth, tally, now, signal, pages } = scope;
  const keepFinding = createFindingKeeper(scope);
  const uncommitted = new Set<Promise<void>>();
  let lastCommit: Promise<void> = Promise.resolve();
  let broken: { error: unknown } | undefined;
  let failures = 0;
  let atRest = false;
  const putOff = createPutOff();
  const silence = createHostSilence(now);
  const unanswered = createUnanswered(scope);
  const wanted = createWanted(scope);
  const filter = createLinkFilter({ wanted, tally, now });
  const dates = createSitemapDates(scope);
  const samePage = createSamePage(scope);
  const recent = (url: string) => {
    const last = frontier.passesOverRecent ? rememberedVisit(scope, url) : undefined;
    return last && isRecent(last, now()) ? last.visit : undefined;
  };
  const isWorthFollowing = createRepeatWatch();

  // Commits keep the order of the visits, so that a kill leaves a frontier that a shorter run could have left.
  const commit = (finding: Finding, change: FrontierChange): void => {
    const committed = keepFinding(finding, change, lastCommit).catch((error) => {
      broken ??= { error };
    });
    inOrder(committed);
  };
  const inOrder = (committed: Promise<void>): void => {
    lastCommit = committed.then(() => uncommitted.delete(committed)).then(() => {});
    uncommitted.add(committed);
  };

  /** Takes an entry of an earlier run off the frontier that this run does not want. */
  const drop = (entry: Entry): false => {
    const { write, committed } = frontier.finish(entry, { found: [], movedTo: [], counts: false });
    const dropped = lastCommit.then(() => store.write(write)).then(committed);
    inOrder(
      dropped.catch((error) => {
        broken ??= { error };
      }),
    );
    return false;
  };

  const rest = (url: string, visit: Extract<Visit, { kind: 'later' }>): false => {
    atRest = true;
    tally.leave({ host: new URL(url).host, why: visit.why, until: now() + visit.seconds * 1000 });
    for (const finding of isSilence(visit) ? unanswered.givenUp(silence.hasAnswered()) : [])
      commit(finding, frontier.finish(finding.entry, { found: [], movedTo: [], counts: false }));
    return false;
  };

  const step = async ({ entry, attempt }: Attempt): Promise<boolean> => {
    if (entry.depth > 0 && !wanted(entry.url)) return drop(entry);
    const known = entry.depth > 0 ? (dates.unchanged(entry.url) ?? recent(entry.url)) : undefined;
    const visited: Omit<Finding, 'found'> =
      known === undefined
        ? await visitWithPatience(scope, { entry, wanted, silence })
        : { entry, url: entry.url, visit: known, left: [], movedTo: [], unasked: true };
    const { visit, url } = visited;
    if (!visited.unasked) pages.visited();
    if (visit.kind === 'later') {
      const { why, seconds, wholeHost, answered } = visit;
      // What robots.txt keeps waiting is not a page at fault.
      if (isSilence(visit) && (!wholeHost || isLeftAlone(why))) unanswered.add({ ...visited, found: [] });
      if (wholeHost || seconds > longestWaitSeconds) return rest(url, visit);
      // Other pages come first: this one may be slow or broken for reasons of its own.
      if (!answered && attempt === 1) failures += 1;
      if (failures >= maxFailuresInARow) return rest(url, visit);
      if (attempt < maxAttempts) {
        if (silence.outlasts(seconds)) return rest(url, visit);
        putOff.add({ entry, attempt: attempt + 1, notBefore: now() + seconds * 1000 });
        return false;
      }
    } else failures = 0;
    const isPage = visit.kind === 'page' || visit.kind === 'unchanged';
    const moves = isPage && entry.depth === 0 && url !== entry.url ? frontier.addHome(url) : undefined;
    // The site is another one than that which was looked at in the beginning.
    if (moves !== undefined) await scope.checkLlmsTxt?.(url, signal);
    const found = linksInScope(scope, visit);
    const depth = entry.depth + 1;
    const followed = depth <= maxDepth && isWorthFollowing(visit) ? filter(found, { from: url, depth }) : [];
    const finding = samePage(visited);
    // The spelling that is given up may be waiting for its commit.
    if (finding.left.length > visited.left.length) await lastCommit;
    // The limit is one of visits.
    const counts = isPage && finding.visit === visit && !visited.unasked;
    unanswered.delete(entry);
    const change = frontier.finish(entry, { found: followed, movedTo: finding.movedTo, counts });
    commit({ ...finding, found }, moves === undefined ? change : both(moves, change));
    return counts;
  };

  try {
    if (!frontier.isOver) await prepare(scope, filter, dates);
    while (!signal.aborted && broken === undefined && !atRest && (await budget.reserve())) {
      let counts = false;
      try {
        const entry = frontier.take(maxDepth);
        const next = entry === undefined ? await putOff.next(scope) : { entry, attempt: 1 };
        if (next === undefined) break;
        counts = await step(next);
      } finally {
        budget.settle(counts);
      }
      if (uncommitted.size >= maxUncommitted) await Promise.race(uncommitted);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await Promise.all(uncommitted);
  }
  if (broken !== undefined) throw broken.error;
  if (atRest) await unanswered.keep();
  if (!signal.aborted && (!atRest || frontier.queued() === 0)) await store.write(frontier.endRun().write);
}

/** What is asked for once, before the first page: what the site says of itself, and what it names there. */
async function prepare(
  scope: ScopeCrawl,
  filter: ReturnType<typeof createLinkFilter>,
  dates: ReturnType<typeof createSitemapDates>,
): Promise<void> {
  const { seeds, frontier, store, signal, checkLlmsTxt, sitemapUrls, maxDepth, tally } = scope;
  const [seed = ''] = seeds;
  const named = (await checkLlmsTxt?.(seed, signal)) ?? [];
  if (maxDepth < 1) return;
  const listed = (await sitemapUrls?.(seed, signal, tally.sitemapGap)) ?? [];
  dates.add(listed);
  const urls = inScope(frontier, [...listed.map(({ url }) => url), ...named]);
  const wanted = filter(urls, { from: seed, depth: 1 });
  for (let at = 0; at < wanted.length; at += queuedAtOnce) {
    const change = frontier.add(wanted.slice(at, at + queuedAtOnce), 1);
    await store.write(change.write);
    change.committed();
  }
}

/** What the crawl wants, also after its seeds have moved. */
function createWanted({
  include = [],
  exclude = [],
  samePath = false,
  seeds,
  frontier,
}: ScopeCrawl): UrlScope {
  const { homes } = frontier;
  const open = () => createUrlScope({ include, exclude, samePath, seeds: [...seeds, ...homes] });
  let known = homes.size;
  let scope = open();
  return (url) => {
    if (homes.size !== known) scope = open();
    known = homes.size;
    return scope(url);
  };
}

interface Attempt {
  readonly entry: Entry;
  /** The how manieth it is, from 1. */
  readonly attempt: number;
}

/** Entries to be tried again once there is nothing else to do. */
function createPutOff() {
  const waiting: (Attempt & { readonly notBefore: number })[] = [];
  return {
    add: (attempt: Attempt & { readonly notBefore: number }) => void waiting.push(attempt),
    /** The next one, when its time has come; undefined when there is none. */
    async next({ now, sleep, signal }: ScopeCrawl): Promise<Attempt | undefined> {
      const next = waiting.shift();
      if (next !== undefined && next.notBefore > now()) await sleep(next.notBefore - now(), signal);
      return next;
    },
  };
}

/** Visits a page, and waits where the whole host wants a pause that is not too long. */
async function visitWithPatience(
  scope: ScopeCrawl,
  { entry, wanted, silence }: { entry: Entry; wanted: UrlScope; silence: HostSilence },
): Promise<Omit<Finding, 'found'>> {
  const { frontier, visitor, links, sleep, now, signal } = scope;
  const claimed = new Set<string>();
  // A seed takes its crawl along to where it has moved: example.com to www.example.com.
  const within = (url: string): boolean =>
    entry.depth === 0 || (frontier.hosts.has(new URL(url).host) && wanted(url));
  const claim = (url: string): boolean => {
    if (!claimed.has(url) && frontier.isSeen(url)) return false;
    claimed.add(url);
    return true;
  };
  for (let attempt = 1; ; attempt++) {
    const startedAt = now();
    const followed = await visitor.visit(entry.url, {
      signal,
      within,
      claim,
      conditional: links.has,
      feeds: entry.depth === 0,
    });
    const { visit } = followed;
    silence.note(visit, startedAt);
    const isOver = visit.kind !== 'later' || !visit.wholeHost || visit.seconds > longestWaitSeconds;
    if (isOver || attempt === maxAttempts || silence.outlasts(visit.seconds))
      return { ...followed, entry, movedTo: [...claimed] };
    scope.onPause?.({ host: new URL(followed.url).host, why: visit.why, seconds: visit.seconds });
    await sleep(visit.seconds * 1000, signal);
  }
}

function linksInScope({ frontier, links }: ScopeCrawl, visit: Visit): string[] {
  if (visit.kind === 'unchanged' && visit.links === null) return inScope(frontier, links.get(visit.id));
  return 'links' in visit ? inScope(frontier, visit.links ?? []) : [];
}

function inScope({ hosts }: Frontier, urls: readonly string[]): string[] {
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
