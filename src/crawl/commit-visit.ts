import type { Clock } from '../runtime.ts';
import type { PageStore, Writer } from '../store/page-store.ts';
import type { PageWriter } from '../store/page-writer.ts';
import { createApplyVisit } from './apply-visit.ts';
import type { Tally } from './crawl-tally.ts';
import type { Entry, FrontierChange } from './frontier.ts';
import type { LinkStore } from './link-store.ts';
import { createOutcomeStore, outcomeOfVisit } from './outcomes.ts';
import type { FollowedVisit, Visitor } from './visit.ts';

/** An entry of the frontier after its visit. */
export interface VisitedEntry extends FollowedVisit {
  readonly entry: Entry;
  /** Where the visit went on to from the entry's URL. */
  readonly movedTo: readonly string[];
  /** The visit is an earlier one: the page was not requested. */
  readonly isRemembered?: true;
  /** The page replaces itself under another spelling of its path, which is among `formerUrls`. */
  readonly replacesVariant?: true;
}

export interface VisitToCommit extends VisitedEntry {
  /** The page's links that are in scope. */
  readonly links: readonly string[];
}

export interface CommitVisitParts {
  readonly store: PageStore;
  readonly pageWriter: PageWriter;
  readonly visitor: Visitor;
  readonly links: LinkStore;
  readonly tally: Tally;
  readonly now: Clock;
}

/**
 * Stores the page, then (after `before`) what the visit changed in the frontier, then reports. In this order a kill
 * loses nothing, because an entry stays queued until its page is durable, and nothing is reported too early.
 */
export type CommitVisit = (
  visited: VisitToCommit,
  change: FrontierChange,
  before: Promise<void>,
) => Promise<void>;

export function createCommitVisit(parts: CommitVisitParts): CommitVisit {
  const { store, tally, now } = parts;
  const outcomes = createOutcomeStore(store);
  const applyVisit = createApplyVisit(parts);

  const count = ({ entry, visit, replacesVariant, isRemembered }: VisitedEntry, removed: number): void => {
    // A page that replaces a variant of itself is neither one more nor one less.
    const replaced = replacesVariant && visit.kind === 'page' ? Math.min(1, removed) : 0;
    tally.count('removed', removed - replaced);
    const outcome = outcomeOfVisit(visit);
    if (visit.kind === 'page') tally.count('stored', 1 - replaced);
    if (visit.kind === 'unchanged') tally.count('unchanged');
    if ('record' in visit && visit.record.rendered && !isRemembered) tally.count('rendered');
    if ('nofollowed' in visit) tally.count('nofollowed', visit.nofollowed);
    // A stored page that is gone counts as removed, not as failed.
    if (outcome !== null && !(visit.kind === 'gone' && removed > 0)) {
      tally.outcome(outcome.kind, outcome.why, entry.url);
    }
  };

  const noteOutcome = (writer: Writer, { entry, url, visit }: VisitedEntry): void => {
    const outcome = outcomeOfVisit(visit);
    if (outcome === null) for (const either of [entry.url, url]) outcomes.drop(writer, either);
    else outcomes.put(writer, { url: entry.url, outcome: outcome.why, at: now() });
  };

  return async (visited, change, before) => {
    const removed = await applyVisit(visited, {
      links: visited.links,
      isRemembered: visited.isRemembered === true,
      after: before,
      alsoWrite: (writer) => {
        change.write(writer);
        noteOutcome(writer, visited);
      },
    });
    change.committed();
    count(visited, removed);
    tally.done(visited.entry.url);
  };
}
