import { setMaxListeners } from 'node:events';
import { createCircuitBreaker, type Permit } from '../limits/circuit-breaker.ts';
import { createThrottle, RateExceeded } from '../limits/throttle.ts';
import type { Clock, Log } from '../runtime.ts';
import {
  type FailureKind,
  type PoolAnswer,
  type ProviderAnswer,
  ProviderError,
  type ProviderPool,
  type ProviderRequest,
  type ProviderState,
  type SearchProvider,
} from './search-provider.ts';

/** Told of every question that was really asked. */
export type ObserveProvider = (provider: string, state: ProviderState, answer?: ProviderAnswer) => void;

export interface ProviderPoolOptions {
  /** In the order of preference. */
  readonly providers: readonly SearchProvider[];
  readonly deadlineMs: number;
  readonly log: Log;
  readonly now: Clock;
  readonly observe?: ObserveProvider;
  /** Closes the connections. */
  readonly close?: () => Promise<void>;
}

/** What a failure that does not heal by itself keeps a provider from being asked. */
const restSecondsAfter: Readonly<Partial<Record<FailureKind, number>>> = {
  unauthorized: 300,
  forbidden: 300,
};
/** After "too often" from a provider that does not say for how long. */
const defaultLimitedSeconds = 30;

type Outcome = { readonly state: ProviderState; readonly answer?: ProviderAnswer };

/** Puts the providers together: each behind its own gate and circuit breaker, all within one deadline. */
export function createProviderPool(options: ProviderPoolOptions): ProviderPool {
  const { log, now, observe, close } = options;
  const providers = options.providers.map((search) => guardProvider(search, now));
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);

  const report = (provider: string, { state, answer }: Outcome): void => {
    if (state.kind === 'unfit' || state.kind === 'resting') return;
    observe?.(provider, state, answer);
    if (state.kind === 'partial') log.info({ provider }, state.message);
    if (state.kind !== 'failed') return;
    const { why, message, retryAfterSeconds } = state;
    log.warn({ provider, why, retryAfterSeconds }, message);
  };

  return {
    providers: options.providers,
    deadlineMs: options.deadlineMs,
    searchAll: async (request, { signal, deadlineMs = options.deadlineMs } = {}) => {
      signal?.throwIfAborted();
      const ending = new AbortController();
      // Every provider listens to it more than once; Node takes more than ten for a leak.
      setMaxListeners(0, ending.signal);
      const giveUp = () => ending.abort();
      const timer = setTimeout(giveUp, deadlineMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      closing.signal.addEventListener('abort', giveUp, { once: true });
      if (closing.signal.aborted) giveUp();
      const isCancelled = () => signal?.aborted === true || closing.signal.aborted;
      try {
        const outcomes = await Promise.all(
          providers.map(async ({ search, ask }) => {
            const outcome = await ask(request, { deadlineMs, signal: ending.signal, isCancelled });
            if (!isCancelled()) report(search.name, outcome);
            return { provider: search.name, ...outcome };
          }),
        );
        signal?.throwIfAborted();
        return toPoolAnswer(outcomes);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        closing.signal.removeEventListener('abort', giveUp);
      }
    },
    close: async () => {
      closing.abort();
      await close?.();
    },
  };
}

function toPoolAnswer(outcomes: readonly (Outcome & { readonly provider: string })[]): PoolAnswer {
  return {
    answers: outcomes.flatMap(({ provider, state, answer }) =>
      (state.kind === 'ok' || state.kind === 'partial') && answer ? [{ provider, answer }] : [],
    ),
    states: outcomes.map(({ provider, state }) => ({ provider, state })),
  };
}

interface Attempt {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Whether an end was the caller's wish or ours, and no fault of the provider. */
  readonly isCancelled: () => boolean;
}

/** One provider with what it did lately. */
function guardProvider(search: SearchProvider, now: Clock) {
  const throttle = createThrottle({ ...search.rate, now });
  const breaker = createCircuitBreaker({ now });
  let hasAskedForPause = false;

  const settle = (answer: ProviderAnswer, tookMs: number): Outcome => {
    breaker.succeeded();
    hasAskedForPause = answer.pauseSeconds > 0;
    if (hasAskedForPause) breaker.rest(answer.pauseSeconds);
    if (answer.missing !== undefined)
      return { state: { kind: 'partial', message: answer.missing, tookMs }, answer };
    return answer.results.length > 0
      ? { state: { kind: 'ok', tookMs }, answer }
      : { state: { kind: 'empty', tookMs } };
  };

  const fail = (error: ProviderError, tookMs: number): Outcome => {
    const { kind: why, message, retryAfterSeconds } = error;
    const named = retryAfterSeconds ?? (why === 'limited' ? defaultLimitedSeconds : restSecondsAfter[why]);
    // "Too often, come back at once" would have us ask for ever.
    const rest = why === 'limited' && named !== undefined ? Math.max(1, named) : named;
    hasAskedForPause = why === 'limited' || retryAfterSeconds !== undefined;
    // To be told that it is too often shows that the provider is well.
    if (why === 'limited') {
      breaker.succeeded();
      breaker.rest(rest ?? defaultLimitedSeconds);
    } else if (why === 'incomplete') {
      // It is well: what it could not look at may matter for this question alone.
      breaker.succeeded();
    } else breaker.failed(rest);
    return {
      state: { kind: 'failed', why, message, tookMs, ...(rest !== undefined && { retryAfterSeconds: rest }) },
    };
  };

  const resting = (why: 'failures' | 'asked for a pause' | 'rate', seconds: number): Outcome => {
    const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
    const reason =
      why === 'failures'
        ? 'failed before and is left alone'
        : why === 'rate'
          ? 'has been asked as often as it allows'
          : 'asked for a pause';
    const message = `${search.title} ${reason}; it is asked again in ${retryAfterSeconds} s`;
    return { state: { kind: 'resting', why, message, retryAfterSeconds } };
  };

  const ask = async (request: ProviderRequest, turn: Attempt): Promise<Outcome> => {
    const startedAt = performance.now();
    const tookMs = () => Math.round(performance.now() - startedAt);
    let passed: Permit | undefined;
    let isAsked = false;
    const work = async (): Promise<ProviderAnswer> => {
      isAsked = true;
      return search.search(request, turn.signal);
    };
    try {
      const useless = search.unfit(request);
      if (useless !== undefined) return { state: { kind: 'unfit', message: useless } };
      passed = breaker.tryAcquire();
      if (passed.kind === 'open')
        return resting(hasAskedForPause ? 'asked for a pause' : 'failures', passed.seconds);
      // A turn that comes later than this leaves no time for an answer.
      const maxWaitSeconds = turn.deadlineMs / 2000;
      const { signal } = turn;
      return settle(await beforeAbort(throttle.run(work, { signal, maxWaitSeconds }), signal), tookMs());
    } catch (error) {
      const failure = toProviderError(error, turn);
      if (turn.isCancelled() || (passed && !isAsked)) {
        breaker.abandoned();
        if (error instanceof RateExceeded) return resting('rate', error.retryAfterSeconds);
        return resting('rate', 1);
      }
      return fail(failure, tookMs());
    }
  };

  /** What was thrown as a failure of the provider; anything that is none may hold a key, and is not shown. */
  const toProviderError = (error: unknown, { signal, deadlineMs }: Attempt): ProviderError => {
    if (error instanceof ProviderError) return error;
    if (signal.aborted) {
      return new ProviderError('timeout', `${search.title} did not answer within ${deadlineMs} ms`);
    }
    const name = error instanceof Error ? error.name : typeof error;
    return new ProviderError('malformed', `the answer of ${search.title} could not be read (${name})`);
  };

  return { search, ask };
}

/** Settles as the work does, or rejects when the signal is aborted first, whatever the work makes of that. */
function beforeAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
