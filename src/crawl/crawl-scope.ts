import type { Sleep } from '../limits/sleep.ts';
import { createFindingKeeper, type Finding, type FindingKeeperParts } from './finding.ts';
import type { Entry, Frontier, FrontierChange } from './frontier.ts';
import type { CheckLlmsTxt } from './llms-txt.ts';
import type { PageBudget } from './page-budget.ts';
import type { SitemapUrls } from './sitemap.ts';
import type { Visit } from './visit.ts';

export interface ScopeCrawl extends FindingKeeperParts {
  readonly seed: string;
  readonly frontier: Frontier;
  readonly checkLlmsTxt?: CheckLlmsTxt;
  readonly sitemapUrls?: SitemapUrls;
  readonly budget: PageBudget;
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
/** Pages that may wait for their commit while the next one is already asked for. */
const maxUncommitted = 32;

/**
 * Crawls what one frontier holds until it is empty, the budget is used up, the host wants a rest, or the signal ends
 * it. Rejects when storing fails.
 */
export async function crawlScope(scope: ScopeCrawl): Promise<void> {
  const { frontier, budget, store, maxDepth, tally, now, signal } = scope;
  const keepFinding = createFindingKeeper(scope);
  const uncommitted = new Set<Promise<void>>();
  let lastCommit: Promise<void> = Promise.resolve();
  let broken: { error: unknown } | undefined;
  let failures = 0;
  let atRest = false;
  const putOff = createPutOff();

  // Commits keep the order of the visits, so that a kill leaves a frontier that a shorter run could have left.
  const commit = (finding: Finding, change: FrontierChange): void => {
    const committed = keepFinding(finding, change, lastCommit).catch((error) => {
      broken ??= { error };
    });
    lastCommit = committed.then(() => uncommitted.delete(committed)).then(() => {});
    uncommitted.add(committed);
  };

  const rest = (url: string, why: string, seconds: number): false => {
    atRest = true;
    tally.leave({ host: new URL(url).host, why, until: now() + seconds * 1000 });
    return false;
  };

  const step = async ({ entry, attempt }: Attempt): Promise<boolean> => {
    const finding = await visitWithPatience(scope, entry);
    const { visit, url } = finding;
    if (visit.kind === 'later') {
      const { why, seconds, wholeHost, answered } = visit;
      if (wholeHost || seconds > longestWaitSeconds) return rest(url, why, seconds);
      // Other pages come first: this one may be slow or broken for reasons of its own.
      if (!answered && attempt === 1) failures += 1;
      if (failures >= maxFailuresInARow) return rest(url, why, seconds);
      if (attempt < maxAttempts) {
        putOff.add({ entry, attempt: attempt + 1, notBefore: now() + seconds * 1000 });
        return false;
      }
    } else failures = 0;
    const counts = visit.kind === 'page' || visit.kind === 'unchanged';
    const home = new URL(finding.url).host;
    const moves = counts && !frontier.hosts.has(home) ? frontier.addHost(home) : undefined;
    const found = linksInScope(scope, visit);
    const finished = { found: entry.depth < maxDepth ? found : [], movedTo: finding.movedTo, counts };
    const change = frontier.finish(entry, finished);
    commit({ ...finding, found }, moves === undefined ? change : both(moves, change));
    return counts;
  };

  try {
    await prepare(scope);
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
  if (!signal.aborted && !atRest) await store.write(frontier.endRun().write);
}

/** What is asked for once, before the first page. */
async function prepare(scope: ScopeCrawl): Promise<void> {
  const { seed, frontier, store, signal, checkLlmsTxt, sitemapUrls, maxDepth } = scope;
  await checkLlmsTxt?.(seed, signal);
  if (sitemapUrls === undefined || maxDepth < 1) return;
  const urls = await sitemapUrls(seed, signal);
  const change = frontier.add(inScope(frontier, urls), 1);
  await store.write(change.write);
  change.committed();
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
async function visitWithPatience(scope: ScopeCrawl, entry: Entry): Promise<Omit<Finding, 'found'>> {
  const { frontier, visitor, links, sleep, signal } = scope;
  const claimed = new Set<string>();
  // A seed takes its crawl along to where it has moved: example.com to www.example.com.
  const within = (url: string): boolean => entry.depth === 0 || frontier.hosts.has(new URL(url).host);
  const claim = (url: string): boolean => {
    if (!claimed.has(url) && frontier.isSeen(url)) return false;
    claimed.add(url);
    return true;
  };
  for (let attempt = 1; ; attempt++) {
    const followed = await visitor.visit(entry.url, { signal, within, claim, conditional: links.has });
    const { visit } = followed;
    const isOver = visit.kind !== 'later' || !visit.wholeHost || visit.seconds > longestWaitSeconds;
    if (isOver || attempt === maxAttempts) return { ...followed, entry, movedTo: [...claimed] };
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
