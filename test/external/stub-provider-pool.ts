import type { ProviderPool } from '../../src/external/provider-pool.ts';
import type {
  ProviderRequest,
  ProviderResult,
  ProviderState,
  SearchProvider,
} from '../../src/external/search-provider.ts';

const operators = { phrase: false, exclude: false, or: false, intitle: false, filetype: false };

/** What one provider of the pool says: results, or why it could not be asked. */
export type Said = readonly ProviderResult[] | Exclude<ProviderState, { kind: 'ok' | 'empty' }>;

export interface StubProviderPool extends ProviderPool {
  readonly requests: readonly ProviderRequest[];
  /** Signals of the requests, in the same order. */
  readonly signals: readonly AbortSignal[];
}

/**
 * An pool whose providers say what `says` holds at the time. For what comes after the asking: the real one, over
 * real providers, has tests of its own.
 */
export function stubProviderPool(
  says: Record<string, Said>,
  { lang = false, wait = async () => {} } = {},
): StubProviderPool {
  const requests: ProviderRequest[] = [];
  const signals: AbortSignal[] = [];
  const provider = (name: string): SearchProvider => ({
    name,
    rate: { concurrency: 1, perSecond: 1, burst: 1 },
    title: name,
    supports: { lang, timeRange: false, site: false, offset: false, operators },
    unfit: () => undefined,
    search: () => Promise.reject(new Error('asked by the pool alone')),
  });
  const stateOf = (said: Said): ProviderState =>
    'kind' in said ? said : { kind: said.length > 0 ? 'ok' : 'empty', tookMs: 1 };
  return {
    requests,
    signals,
    providers: Object.keys(says).map(provider),
    deadlineMs: 1000,
    async searchAll(request, { signal } = {}) {
      requests.push(request);
      if (signal) signals.push(signal);
      await wait();
      signal?.throwIfAborted();
      const all = Object.entries(says);
      return {
        states: all.map(([name, said]) => ({ provider: name, state: stateOf(said) })),
        answers: all.flatMap(([name, said]) =>
          'kind' in said || said.length === 0
            ? []
            : [{ provider: name, answer: { results: said, more: false, quota: null, pauseSeconds: 0 } }],
        ),
      };
    },
    close: async () => {},
  };
}

/** A result with plausible values for everything that the test does not name. */
export function webResult(url: string, fields: Partial<ProviderResult> = {}): ProviderResult {
  return { url, title: `Title of ${url}`, snippet: 'A snippet.', publishedAt: null, lang: 'en', ...fields };
}

export const failed: Said = { kind: 'failed', why: 'timeout', message: 'no answer in time', tookMs: 2500 };
