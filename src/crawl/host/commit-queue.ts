import type { PageStore } from '../../store/page-store.ts';
import type { CommitVisit, VisitToCommit } from '../commit-visit.ts';
import type { FrontierChange } from '../frontier.ts';

/** Visits that may wait for their commit while the next page is already requested. */
const maxUncommitted = 32;

interface CommitQueueParts {
  readonly store: PageStore;
  readonly commitVisit: CommitVisit;
}

/** Commits in the order of the visits, so that a kill leaves a frontier that a shorter run could have left. */
export interface CommitQueue {
  commit(visited: VisitToCommit, change: FrontierChange): void;
  /** Commits a change of the frontier that comes from no visit. */
  write(change: FrontierChange): void;
  /** Resolves once everything so far is committed, or has failed. */
  soFar(): Promise<void>;
  /** Resolves once fewer than `maxUncommitted` commits are under way. */
  room(): Promise<void>;
  settled(): Promise<void>;
  /** The first error of a commit; undefined while there is none. */
  failure(): { readonly error: unknown } | undefined;
}

export function createCommitQueue({ store, commitVisit }: CommitQueueParts): CommitQueue {
  const uncommitted = new Set<Promise<void>>();
  let last: Promise<void> = Promise.resolve();
  let failure: { error: unknown } | undefined;

  const add = (commit: Promise<void>): void => {
    const settled = commit.catch((error) => {
      failure ??= { error };
    });
    last = settled.then(() => void uncommitted.delete(settled));
    uncommitted.add(settled);
  };

  return {
    commit: (visited, change) => add(commitVisit(visited, change, last)),
    write: ({ write, committed }) => add(last.then(() => store.write(write)).then(committed)),
    soFar: () => last,
    room: async () => {
      if (uncommitted.size >= maxUncommitted) await Promise.race(uncommitted);
    },
    settled: async () => void (await Promise.all(uncommitted)),
    failure: () => failure,
  };
}
