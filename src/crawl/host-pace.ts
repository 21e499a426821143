import type { Sleep } from '../limits/sleep.ts';
import type { Clock } from '../outside.ts';

export interface HostPace {
  /**
   * Runs `work` when nobody else asks this host and `delaySeconds` have passed since the last answer. Rejects with
   * the signal's reason when that is aborted before the turn.
   */
  turn<Result>(host: string, work: () => Promise<Result>, options: TurnOptions): Promise<Result>;
  /** Seconds for which the host wants no request; 0 when it may be asked. */
  pausedSeconds(host: string): number;
  pause(host: string, seconds: number): void;
}

export interface TurnOptions {
  readonly delaySeconds: number;
  readonly signal?: AbortSignal | undefined;
}

interface HostState {
  /** Settles when everyone who came before is done. */
  tail: Promise<void>;
  waiting: number;
  answeredAt: number;
  pausedUntil: number;
}

/** Past so many hosts, those that may be asked at once anyway are forgotten. */
const manyHosts = 10_000;

/** No delay is longer than this after an answer, so an older answer need not be remembered. */
const longestDelayMs = 60_000;

/** One request at a time for each host, and a pause after each answer. */
export function createHostPace({ now, sleep }: { now: Clock; sleep: Sleep }): HostPace {
  const hosts = new Map<string, HostState>();

  const stateOf = (host: string): HostState => {
    let state = hosts.get(host);
    if (state === undefined) {
      if (hosts.size >= manyHosts) forgetIdle();
      state = { tail: Promise.resolve(), waiting: 0, answeredAt: Number.NEGATIVE_INFINITY, pausedUntil: 0 };
      hosts.set(host, state);
    }
    return state;
  };

  const forgetIdle = (): void => {
    for (const [host, { waiting, answeredAt, pausedUntil }] of hosts) {
      if (waiting === 0 && Math.max(answeredAt + longestDelayMs, pausedUntil) < now()) hosts.delete(host);
    }
  };

  return {
    async turn(host, work, { delaySeconds, signal }) {
      const state = stateOf(host);
      const before = state.tail;
      let leave = () => {};
      const left = new Promise<void>((resolve) => {
        leave = resolve;
      });
      // Whoever gives up early must not let the next one in beside the one that is still asking.
      state.tail = before.then(() => left);
      state.waiting += 1;
      try {
        await settledOrAborted(before, signal);
        const waitMs = state.answeredAt + delaySeconds * 1000 - now();
        if (waitMs > 0) await sleep(waitMs, signal);
        try {
          return await work();
        } finally {
          state.answeredAt = now();
        }
      } finally {
        state.waiting -= 1;
        leave();
      }
    },
    pausedSeconds: (host) => Math.max(0, ((hosts.get(host)?.pausedUntil ?? 0) - now()) / 1000),
    pause(host, seconds) {
      const state = stateOf(host);
      state.pausedUntil = Math.max(state.pausedUntil, now() + seconds * 1000);
    },
  };
}

async function settledOrAborted(before: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (signal === undefined) return before;
  let giveUp = () => {};
  try {
    await Promise.race([
      before,
      new Promise<never>((_, reject) => {
        giveUp = () => reject(signal.reason);
        signal.addEventListener('abort', giveUp, { once: true });
      }),
    ]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
