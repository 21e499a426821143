import { abortable } from '../../async/abortable.ts';
import type { Sleep } from '../../async/sleep.ts';
import type { Clock } from '../../runtime.ts';
import type { HostRests } from './host-rests.ts';

export interface HostPace {
  /**
   * Runs `work` when no other request to this host is under way and the pause after its last answer is over:
   * `delaySeconds`, or the duration of that answer when it was longer. Rejects with the signal's reason when it is
   * aborted before the turn.
   */
  turn<Result>(host: string, work: () => Promise<Result>, options: HostTurnOptions): Promise<Result>;
  /** Runs a request within a turn, and measures it for the pause that follows. */
  timed<Result>(host: string, request: () => Promise<Result>): Promise<Result>;
  /** How long the host must be left alone, and whether it requested that; null if requests are allowed. */
  paused(host: string): { readonly seconds: number; readonly asked: boolean } | null;
  /** The host requested a pause. */
  pause(host: string, seconds: number): void;
  /** Counts a request without an answer; returns for how many seconds the host is left alone now. */
  failed(host: string): number;
  /** The host has answered: its failures are forgotten. */
  answered(host: string): void;
  /** Forgets a pause that came from failures, for a caller that knows that the host is up. */
  wake(host: string): void;
}

export interface HostTurnOptions {
  readonly delaySeconds: number;
  readonly signal?: AbortSignal | undefined;
}

interface HostState {
  /** Settles when all earlier turns are over. */
  tail: Promise<void>;
  waiting: number;
  answeredAt: number;
  answerMs: number;
  failures: number;
  /** End of the pause that the host requested, epoch milliseconds. */
  askedUntil: number;
  /** End of the pause because of failures, epoch milliseconds. */
  asleepUntil: number;
}

/** Hosts in memory; above this, hosts without a pause are forgotten. */
const maxRememberedHosts = 10_000;

/** The longest delay after an answer: older answers need not be remembered. */
const maxDelayMs = 60_000;

/** One failure may be the page's fault; from the second one in a row the host rests, twice as long each time. */
const firstSleepSeconds = 5;
const maxSleepSeconds = 24 * 60 * 60;

interface HostPaceParts {
  readonly now: Clock;
  readonly sleep: Sleep;
  /** Keeps long pauses beyond the end of the process. */
  readonly rests?: HostRests | undefined;
}

/** One request at a time for each host, a pause after each answer, and growing ones after failures. */
export function createHostPace({ now, sleep, rests }: HostPaceParts): HostPace {
  const hosts = new Map<string, HostState>();

  const stateOf = (host: string): HostState => {
    let state = hosts.get(host);
    if (state === undefined) {
      if (hosts.size >= maxRememberedHosts) forgetIdle();
      const { failures = 0, askedUntil = 0, asleepUntil = 0 } = rests?.of(host) ?? {};
      state = {
        tail: Promise.resolve(),
        waiting: 0,
        answeredAt: Number.NEGATIVE_INFINITY,
        answerMs: 0,
        failures,
        askedUntil,
        asleepUntil,
      };
      hosts.set(host, state);
    }
    return state;
  };

  const pausedUntil = ({ askedUntil, asleepUntil }: HostState): number => Math.max(askedUntil, asleepUntil);

  const forgetIdle = (): void => {
    for (const [host, state] of hosts) {
      const idleAt = Math.max(state.answeredAt + maxDelayMs, pausedUntil(state));
      if (state.waiting === 0 && idleAt < now()) hosts.delete(host);
    }
  };

  const saveRest = (host: string, { failures, askedUntil, asleepUntil }: HostState): void =>
    rests?.save(host, { failures, askedUntil, asleepUntil }, now());

  return {
    async turn(host, work, { delaySeconds, signal }) {
      const state = stateOf(host);
      const before = state.tail;
      let leave = () => {};
      const over = new Promise<void>((resolve) => {
        leave = resolve;
      });
      // A turn that is given up early must not let the next one start while an earlier one is under way.
      state.tail = before.then(() => over);
      state.waiting += 1;
      try {
        await abortable(before, signal);
        const waitMs = state.answeredAt + Math.max(delaySeconds * 1000, state.answerMs) - now();
        if (waitMs > 0) await sleep(waitMs, signal);
        return await work();
      } finally {
        state.waiting -= 1;
        leave();
      }
    },
    async timed(host, request) {
      const state = stateOf(host);
      const startedAt = now();
      try {
        return await request();
      } finally {
        state.answeredAt = now();
        state.answerMs = state.answeredAt - startedAt;
      }
    },
    paused(host) {
      const state = stateOf(host);
      const until = pausedUntil(state);
      return until > now() ? { seconds: (until - now()) / 1000, asked: until === state.askedUntil } : null;
    },
    pause(host, seconds) {
      const state = stateOf(host);
      state.askedUntil = Math.max(state.askedUntil, now() + seconds * 1000);
      saveRest(host, state);
    },
    failed(host) {
      const state = stateOf(host);
      state.failures += 1;
      if (state.failures < 2) return 0;
      const seconds = Math.min(firstSleepSeconds * 2 ** (state.failures - 2), maxSleepSeconds);
      state.asleepUntil = now() + seconds * 1000;
      saveRest(host, state);
      return seconds;
    },
    answered(host) {
      const state = stateOf(host);
      if (state.failures === 0) return;
      state.failures = 0;
      state.asleepUntil = 0;
      saveRest(host, state);
    },
    wake(host) {
      const state = stateOf(host);
      state.failures = 0;
      state.asleepUntil = 0;
      saveRest(host, state);
    },
  };
}
