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
}

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
  const { frontier, budget, store, maxDepth, tally, signal } = scope;
  const keepFinding = createFindingKeeper(scope);
  const uncommitted = new Set<Promise<void>>();
  let lastCommit: Promise<void> = Promise.resolve();
  let broken: { error: unknown } | undefined;
  let failures = 0;
  let atRest = false;

  // Commits keep the order of the visits, so that a kill leaves a frontier that a shorter run could have left.
  const commit = (finding: Finding, change: FrontierChange): void => {
    const committed = keepFinding(finding, change, lastCommit).catch((error) => {
      broken ??= { error };
    });
    lastCommit = committed.then(() => uncommitted.delete(committed)).then(() => {});
    uncommitted.add(committed);
  };

  const step = async (entry: Entry): Promise<boolean> => {
    const finding = await visitWithPatience(scope, entry);
    const { visit } = finding;
    failures = visit.kind === 'later' ? failures + 1 : 0;
    if (visit.kind === 'later') {
      atRest = visit.wholeHost || visit.seconds > longestWaitSeconds || failures >= maxFailuresInARow;
      if (atRest) {
        tally.fail(visit.why);
        return false;
      }
    }
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
        if (entry === undefined) break;
        counts = await step(entry);
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
    if (visit.kind !== 'later' || attempt === maxAttempts || visit.seconds > longestWaitSeconds) {
      return { ...followed, entry, movedTo: [...claimed] };
    }
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
