import type { Sleep } from '../../async/sleep.ts';
import type { Clock } from '../../runtime.ts';
import type { Entry } from '../frontier.ts';

/** An entry on its way to a visit. */
export interface Attempt {
  readonly entry: Entry;
  /** Attempt number, starting at 1. */
  readonly attempt: number;
}

interface LaterAttempt extends Attempt {
  /** Epoch milliseconds. */
  readonly notBefore: number;
}

interface RetryQueueParts {
  readonly now: Clock;
  readonly sleep: Sleep;
  readonly signal: AbortSignal;
}

/** Entries that are visited again once the frontier is empty. */
export function createRetryQueue({ now, sleep, signal }: RetryQueueParts) {
  const waiting: LaterAttempt[] = [];
  return {
    add: (attempt: LaterAttempt) => void waiting.push(attempt),
    /** The next one, when its time has come; undefined when there is none. */
    async next(): Promise<Attempt | undefined> {
      const next = waiting.shift();
      if (next !== undefined && next.notBefore > now()) await sleep(next.notBefore - now(), signal);
      return next;
    },
  };
}
