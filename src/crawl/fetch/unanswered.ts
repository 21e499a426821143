import type { Clock } from '../../runtime.ts';
import type { PageStore } from '../../store/page-store.ts';
import type { Finding } from '../commit-visit.ts';
import type { Entry, Frontier } from '../frontier.ts';
import { createOutcomes, outcomeOf } from '../outcomes.ts';

interface UnansweredParts {
  readonly store: PageStore;
  readonly frontier: Frontier;
  readonly now: Clock;
}

/**
 * The entries of a run that got no answer, for when their host is left because of that. They stay queued for the next
 * run. One that had no answer in an earlier run either is given up where the page is at fault rather than the host:
 * else a few broken pages would be all that any later run visits.
 */
export function createUnanswered({ store, frontier, now }: UnansweredParts) {
  const findings = new Map<string, Finding>();
  const outcomes = createOutcomes(store);
  return {
    add: (finding: Finding) => void findings.set(finding.entry.key, finding),
    /** The entry is done. */
    delete: ({ key }: Entry) => void findings.delete(key),
    /** Takes out the entries that are to be finished without a page. */
    givenUp(hasHostAnswered: boolean): Finding[] {
      const isAllThatIsLeft = frontier.queued() === findings.size;
      if (!hasHostAnswered && !isAllThatIsLeft) return [];
      const known = [...findings.values()].filter(({ entry }) => outcomes.of(entry.url) !== undefined);
      for (const { entry } of known) findings.delete(entry.key);
      return known;
    },
    /** Notes why the others stay queued. */
    async keep(): Promise<void> {
      if (findings.size === 0) return;
      await store.write((writer) => {
        for (const { entry, visit } of findings.values()) {
          const outcome = outcomeOf(visit);
          if (outcome) outcomes.put(writer, { url: entry.url, outcome: outcome.why, at: now() });
        }
      });
    },
  };
}
