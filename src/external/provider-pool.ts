import { setMaxListeners } from 'node:events';
import type { Clock, Log } from '../runtime.ts';
import { guardProvider, type ProviderOutcome } from './guarded-provider.ts';
import type { ProviderAnswer, ProviderRequest, ProviderState, SearchProvider } from './search-provider.ts';

/** Called after every request that was really sent. */
export type ObserveProvider = (provider: string, state: ProviderState, answer?: ProviderAnswer) => void;

export interface PoolAnswer {
  /** Of the providers whose state is `ok` or `partial`, in the order of `ProviderPool.providers`. */
  readonly answers: readonly { readonly provider: string; readonly answer: ProviderAnswer }[];
  /** Of every provider that is on, in the order of `ProviderPool.providers`. */
  readonly states: readonly { readonly provider: string; readonly state: ProviderState }[];
}

export interface SearchAllOptions {
  /** Aborting it aborts every open request. */
  readonly signal?: AbortSignal | undefined;
  /** The configured one (2,500 ms) by default. */
  readonly deadlineMs?: number;
}

/** All providers that are on, as one. */
export interface ProviderPool {
  /** In the order of preference. */
  readonly providers: readonly SearchProvider[];
  /** Maximum duration of a search, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * Searches with all providers at once. Settles when all have answered or at the deadline, whatever a provider does.
   * Rejects only with the reason of the caller's signal.
   */
  searchAll(request: ProviderRequest, options?: SearchAllOptions): Promise<PoolAnswer>;
  /** Aborts open requests and closes the connections. */
  close(): Promise<void>;
}

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

/** Combines the providers: each behind its own throttle and circuit breaker, all within one deadline. */
export function createProviderPool(options: ProviderPoolOptions): ProviderPool {
  const { log, now, observe, close } = options;
  const guarded = options.providers.map((provider) => guardProvider(provider, now));
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);

  const report = (provider: string, { state, answer }: ProviderOutcome): void => {
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
      // Every provider adds several listeners; above ten Node warns of a leak.
      setMaxListeners(0, ending.signal);
      const end = () => ending.abort();
      const timer = setTimeout(end, deadlineMs);
      signal?.addEventListener('abort', end, { once: true });
      closing.signal.addEventListener('abort', end, { once: true });
      if (closing.signal.aborted) end();
      const isCancelled = () => signal?.aborted === true || closing.signal.aborted;
      try {
        const outcomes = await Promise.all(
          guarded.map(async ({ provider: { name }, search }) => {
            const outcome = await search(request, { deadlineMs, signal: ending.signal, isCancelled });
            if (!isCancelled()) report(name, outcome);
            return { provider: name, ...outcome };
          }),
        );
        signal?.throwIfAborted();
        return toPoolAnswer(outcomes);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        closing.signal.removeEventListener('abort', end);
      }
    },
    close: async () => {
      closing.abort();
      await close?.();
    },
  };
}

function toPoolAnswer(outcomes: readonly (ProviderOutcome & { readonly provider: string })[]): PoolAnswer {
  return {
    answers: outcomes.flatMap(({ provider, state, answer }) =>
      (state.kind === 'ok' || state.kind === 'partial') && answer ? [{ provider, answer }] : [],
    ),
    states: outcomes.map(({ provider, state }) => ({ provider, state })),
  };
}
