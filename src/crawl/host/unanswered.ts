import type { Clock } from '../../runtime.ts';
import type { PageStore } from '../../store/page-store.ts';
import type { VisitToCommit } from '../commit-visit.ts';
import type { Entry, Frontier } from '../frontier.ts';
import { createOutcomeStore, outcomeOfVisit } from '../outcomes.ts';

interface UnansweredParts {
  readonly store: PageStore;
  readonly frontier: Frontier;
  readonly now: Clock;
}

/**
 * The entries of a run that got no answer, for when their host is left because of that. They stay queued for the next
 * run. An entry without an answer in an earlier run too is given up where the page is at fault rather than the host:
 * otherwise every later run would visit a few broken pages and nothing else.
 */
export function createUnanswered({ store, frontier, now }: UnansweredParts) {
  const visits = new Map<string, VisitToCommit>();
  const outcomes = createOutcomeStore(store);
  return {
    add: (visited: VisitToCommit) => void visits.set(visited.entry.key, visited),
    /** The entry is done. */
    delete: ({ key }: Entry) => void visits.delete(key),
    /** Takes out the entries that are to be finished without a page. */
    takeGivenUp(hasHostAnswered: boolean): VisitToCommit[] {
      const areAllQueued = frontier.queued() === visits.size;
      if (!hasHostAnswered && !areAllQueued) return [];
      const repeated = [...visits.values()].filter(({ entry }) => outcomes.of(entry.url) !== undefined);
      for (const { entry } of repeated) visits.delete(entry.key);
      return repeated;
    },
    /** Writes down why the others stay queued. */
    async note(): Promise<void> {
      if (visits.size === 0) return;
      await store.write((writer) => {
        for (const { entry, visit } of visits.values()) {
          const outcome = outcomeOfVisit(visit);
          if (outcome) outcomes.put(writer, { url: entry.url, outcome: outcome.why, at: now() });
        }
      });
    },
  };
}
