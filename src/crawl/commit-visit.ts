import type { Clock } from '../runtime.ts';
import type { PageStore, Writer } from '../store/page-store.ts';
import type { PageWriter } from '../store/page-writer.ts';
import { createApplyVisit } from './apply-visit.ts';
import type { Tally } from './crawl-tally.ts';
import type { Entry, FrontierChange } from './frontier.ts';
import type { LinkStore } from './link-store.ts';
import { createOutcomes, outcomeOf } from './outcomes.ts';
import type { FollowedVisit, Visitor } from './visit.ts';

/** What became of an entry of the frontier. */
export interface Finding extends FollowedVisit {
  readonly entry: Entry;
  /** Where the visit went on to from the entry's URL. */
  readonly movedTo: readonly string[];
  /** The page's links that are in scope. */
  readonly found: readonly string[];
  /** The site's own list said that nothing has changed, so nobody looked. */
  readonly unasked?: true;
  /** The page takes the place of itself under another spelling of its path, which is among `left`. */
  readonly respelt?: true;
}

export interface FindingKeeperParts {
  readonly store: PageStore;
  readonly pageWriter: PageWriter;
  readonly visitor: Visitor;
  readonly links: LinkStore;
  readonly tally: Tally;
  readonly now: Clock;
}

/**
 * Stores the page, then (after `before`) what the visit changed in the frontier, then tells. In this order a kill
 * loses nothing, because an entry stays queued until its page is durable, and nothing is told too early.
 */
export type KeepFinding = (finding: Finding, change: FrontierChange, before: Promise<void>) => Promise<void>;

export function createFindingKeeper({
  store,
  pageWriter,
  visitor,
  links,
  tally,
  now,
}: FindingKeeperParts): KeepFinding {
  const outcomes = createOutcomes(store);
  const applyVisit = createApplyVisit({ store, pageWriter, visitor, links, now });

  const count = ({ entry, visit, respelt }: Finding, removed: number): void => {
    // One page goes for another that is the same: neither is one more, nor one less.
    const instead = respelt && visit.kind === 'page' ? Math.min(1, removed) : 0;
    tally.count('removed', removed - instead);
    const outcome = outcomeOf(visit);
    if (visit.kind === 'page') tally.count('stored', 1 - instead);
    if (visit.kind === 'unchanged') tally.count('unchanged');
    if ('nofollowed' in visit) tally.count('nofollowed', visit.nofollowed);
    // What is gone was a page of ours and is counted as such.
    if (outcome !== null && !(visit.kind === 'gone' && removed > 0)) {
      tally.outcome(outcome.kind, outcome.why, entry.url);
    }
  };

  const noteOutcome = (writer: Writer, { entry, url, visit }: Finding): void => {
    const outcome = outcomeOf(visit);
    if (outcome === null) for (const known of [entry.url, url]) outcomes.drop(writer, known);
    else outcomes.put(writer, { url: entry.url, outcome: outcome.why, at: now() });
  };

  return async (finding, change, before) => {
    const removed = await applyVisit(finding, {
      links: finding.found,
      isRemembered: finding.unasked === true,
      after: before,
      alsoWrite: (writer) => {
        change.write(writer);
        noteOutcome(writer, finding);
      },
    });
    change.committed();
    count(finding, removed);
    tally.done(finding.entry.url);
  };
}
