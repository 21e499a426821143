import type { Clock } from '../../runtime.ts';

/** Measures the pace of one host. */
export interface HostPages {
  /** A page was requested and is done. */
  visited(): void;
  /** From one page to the next, mean of the last pages; undefined before the second page. */
  secondsPerPage(): number | undefined;
}

/** Pages over which the pace of a host is measured. */
const paceWindowPages = 50;

export function createHostPages(now: Clock): HostPages {
  const times: number[] = [];
  return {
    visited() {
      times.push(now());
      if (times.length > paceWindowPages) times.shift();
    },
    secondsPerPage() {
      const [first] = times;
      const last = times.at(-1);
      if (first === undefined || last === undefined || times.length < 2) return undefined;
      return (last - first) / 1000 / (times.length - 1);
    },
  };
}

interface HostQueue {
  readonly queued: number;
  readonly secondsPerPage: number | undefined;
}

/**
 * Seconds until the queue is visited or the limit of pages is reached, whichever comes first. Hosts are visited
 * concurrently, so the slowest one counts. Undefined while the pace is unknown. Pages found later add to it.
 */
export function secondsLeft(hosts: readonly HostQueue[], pagesLeft: number): number | undefined {
  const paced = hosts.flatMap(({ queued, secondsPerPage }) =>
    queued > 0 && secondsPerPage !== undefined ? [{ queued, secondsPerPage }] : [],
  );
  if (paced.length === 0) return undefined;
  const untilEmpty = Math.max(...paced.map(({ queued, secondsPerPage }) => queued * secondsPerPage));
  const perSecond = paced.reduce((sum, { secondsPerPage }) => sum + 1 / secondsPerPage, 0);
  return Math.min(untilEmpty, pagesLeft / perSecond);
}
