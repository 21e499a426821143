import type { Page } from '../page.ts';
import { pageId } from '../store/page-id.ts';
import type { PageStore } from '../store/page-store.ts';
import type { Tally } from './crawl-tally.ts';
import type { Entry, FrontierChange } from './frontier.ts';
import type { KnownLinks } from './known-links.ts';
import { type FollowedVisit, noindex, refusedByRobots, type Visitor } from './visit.ts';

/** Where pages go; each promise settles when the change is durable. */
export interface Keep {
  put(page: Page): Promise<void>;
  remove(id: string): Promise<void>;
  /** The page was looked at again and had not changed. */
  touch(id: string, crawledAt: number): Promise<void>;
}

/** What became of an entry of the frontier. */
export interface Finding extends FollowedVisit {
  readonly entry: Entry;
  /** Where the visit went on to from the entry's URL. */
  readonly movedTo: readonly string[];
  /** The page's links that are in scope. */
  readonly found: readonly string[];
}

export interface FindingKeeperParts {
  readonly store: PageStore;
  readonly keep: Keep;
  readonly visitor: Visitor;
  readonly links: KnownLinks;
  readonly tally: Tally;
}

/**
 * Stores the page, then (after `before`) what the visit changed in the frontier, then tells. In this order a kill
 * loses nothing, because an entry stays queued until its page is durable, and nothing is told too early.
 */
export type KeepFinding = (finding: Finding, change: FrontierChange, before: Promise<void>) => Promise<void>;

export function createFindingKeeper({ store, keep, visitor, links, tally }: FindingKeeperParts): KeepFinding {
  const keepPage = async ({ visit, url, left }: Finding): Promise<number> => {
    if (visit.kind === 'page') await keep.put(visit.page);
    if (visit.kind === 'unchanged') await keep.touch(visit.id, visit.record.crawledAt);
    const isGone = visit.kind === 'gone' || (visit.kind === 'never' && visit.why === noindex);
    const stored = [...left, ...(isGone ? [url] : [])]
      .map(pageId)
      .filter((id) => store.head(id) !== undefined);
    await Promise.all(stored.map(keep.remove));
    return stored.length;
  };

  const count = ({ visit }: Finding, removed: number): void => {
    for (let i = 0; i < removed; i++) tally.count('removed');
    if (visit.kind === 'page') tally.count('stored');
    else if (visit.kind === 'unchanged') tally.count('unchanged');
    else if (visit.kind === 'gone' && removed === 0) tally.fail('not found');
    else if (visit.kind === 'never' && visit.why === refusedByRobots) tally.count('refusedByRobots');
    else if (visit.kind === 'never' || visit.kind === 'later') tally.fail(visit.why);
  };

  return async (finding, change, before) => {
    const { entry, url, visit, found } = finding;
    const removed = await keepPage(finding);
    await before;
    await store.write((writer) => {
      change.write(writer);
      if (visit.kind !== 'page' && visit.kind !== 'unchanged') return;
      visitor.remember(writer, pageId(url), visit.record);
      if (visit.links !== null) links.put(writer, pageId(url), found);
    });
    change.committed();
    count(finding, removed);
    tally.done(entry.url);
  };
}
