import { createSingleFlightCache } from '../async/single-flight-cache.ts';
import { within } from '../async/within.ts';
import type { Clock } from '../runtime.ts';
import { addressKey } from '../text/address-key.ts';
import type { LanguageSample, LanguageThread } from '../text/language/language-thread.ts';
import type { PoolAnswer, ProviderPool } from './provider-pool.ts';
import { fuseRankings } from './reciprocal-rank.ts';
import type { ProviderRequest, ProviderResult } from './search-provider.ts';

/** A search over all providers. It has no limit and no offset, so that paging is stable. */
export type ExternalQuery = Pick<ProviderRequest, 'query' | 'lang' | 'timeRange' | 'hops'>;

/** One page that at least one provider returned. */
export interface ExternalResult extends Omit<ProviderResult, 'lang'> {
  /** Canonical. */
  readonly url: string;
  /** Equal for all spellings of one address; see `addressKey`. */
  readonly key: string;
  /** Primary subtag, or `und`. */
  readonly lang: string;
  /** From 0 to 1, in descending order. */
  readonly score: number;
}

/** A provider that could not be queried or answered in part, in words for the user. */
export interface ExternalFailure {
  readonly provider: string;
  readonly message: string;
  /** It answered, but its search was incomplete. */
  readonly answeredInPart?: true;
  /** When another attempt may succeed, if known. */
  readonly retryAfterSeconds?: number;
}

/** The fused answer of all providers. */
export interface ExternalAnswer {
  readonly results: readonly ExternalResult[];
  /** `none`: no provider can serve such a query. */
  readonly state: 'ok' | 'partial' | 'failed' | 'none';
  readonly failures: readonly ExternalFailure[];
  /** When the answers arrived, epoch milliseconds. */
  readonly retrievedAt: number;
  /** Some languages could not be detected in time. */
  readonly isGuess?: boolean;
}

/** Searches all providers that are on, behind one cache. */
export interface FederatedSearch {
  /** The cached answer to a query; sends no request. */
  peek(query: ExternalQuery): ExternalAnswer | undefined;
  /** Settles within the pool's deadline; rejects only with the signal's reason. */
  search(query: ExternalQuery, signal?: AbortSignal): Promise<ExternalAnswer>;
}

export interface FederatedSearchParts {
  readonly pool: ProviderPool;
  /** The canonical URL of a page; null for a URL that no page can have. */
  readonly canonicalUrl: (url: string) => string | null;
  /** Detects the languages of texts; `warmUp` loads the detector early. */
  readonly languages: Pick<LanguageThread, 'detect' | 'warmUp'>;
  readonly now: Clock;
}

/** Results requested from each provider: the largest page that every provider offers. */
const resultsPerProvider = 20;

/** Share of the deadline for a query from another instance, which has the same deadline and needs time to answer. */
const peerDeadlineShare = 0.6;

/** Minimum time for language detection, even beyond the deadline. */
const minDetectionMs = 50;

const minuteMs = 60_000;
/** Long enough to read a few pages of results and come back. */
const ttlMs = 5 * minuteMs;
/** Long enough to page, short enough to ask a failed provider again soon. */
const partialTtlMs = minuteMs / 2;
const maxCachedBytes = 16 * 1024 * 1024;

/**
 * Searches all providers and fuses their answers by reciprocal rank: each page once, in the requested language. Repeating
 * a query within some minutes gives the same answer. An answer without results is not cached.
 */
export function createFederatedSearch(parts: FederatedSearchParts): FederatedSearch {
  const { pool, languages, now } = parts;
  /** Whether the last answer had results without a language; assumed true at first. */
  let hasUndetected = true;
  const cache = createSingleFlightCache<ExternalAnswer>({
    ttlMs: ({ results, state, isGuess }) => {
      if (results.length === 0 || isGuess) return 0;
      return state === 'partial' ? partialTtlMs : ttlMs;
    },
    bytesOf: (answer) => 2 * JSON.stringify(answer).length,
    maxBytes: maxCachedBytes,
    now,
  });

  const searchProviders = async (query: ExternalQuery, signal: AbortSignal): Promise<ExternalAnswer> => {
    const request = { ...query, limit: resultsPerProvider, offset: 0 };
    const deadlineMs = pool.deadlineMs * (query.hops ? peerDeadlineShare : 1);
    const endsAt = performance.now() + deadlineMs;
    if (hasUndetected && pool.providers.some((provider) => provider.unfit(request) === undefined)) {
      languages.warmUp();
    }
    const poolAnswer = await pool.searchAll(request, { signal, deadlineMs });
    const merged = merge(poolAnswer, query, parts);
    const undetected = merged.filter(({ lang }) => lang === null);
    if (merged.length > 0) hasUndetected = undetected.length > 0;
    const detectionMs = Math.max(minDetectionMs, endsAt - performance.now());
    const detected =
      undetected.length === 0 ? [] : await within(detectionMs, languages.detect(undetected.map(textOf)));
    const results = withLanguages(merged, detected ?? []).filter(({ lang }) => lang === (query.lang ?? lang));
    return { ...verdict(poolAnswer), results, retrievedAt: now(), isGuess: detected === undefined };
  };

  return {
    peek: (query) => cache.peek(keyOf(query)),
    search: (query, signal) => cache.get(keyOf(query), (shared) => searchProviders(query, shared), signal),
  };
}

/** The cache key. The query tree does not depend on spelling: quotes, case, white space. */
function keyOf({ query, lang, timeRange, hops = 0 }: ExternalQuery): string {
  // `typed` is the spelling of a word, which does not change the answer.
  return JSON.stringify([query, lang, timeRange, hops], (name, value) =>
    name === 'typed' ? undefined : value,
  );
}

/** A fused result whose language may still be unknown. */
interface Merged extends Omit<ExternalResult, 'lang'> {
  readonly lang: string | null;
  /** The language to assume when detection gives none. */
  readonly declared: string | undefined;
}

function merge(
  { answers }: PoolAnswer,
  { lang: requestedLang }: ExternalQuery,
  { pool, canonicalUrl }: FederatedSearchParts,
): Merged[] {
  const filtersLanguage = new Map(pool.providers.map(({ name, supports }) => [name, supports.lang]));
  const rankings = answers.map(({ provider, answer }) =>
    answer.results.flatMap((result) => {
      const url = canonicalUrl(result.url);
      return url === null ? [] : [{ ...result, url, filtered: filtersLanguage.get(provider) ?? false }];
    }),
  );
  return fuseRankings(rankings, ({ url }) => addressKey(url)).map(({ key, score, items }) => {
    const [{ url, title }] = items;
    const snippet = items.find((item) => item.snippet !== '')?.snippet ?? '';
    const lang = items.find((item) => item.lang !== null)?.lang ?? null;
    const publishedAt = items.find((item) => item.publishedAt !== null)?.publishedAt ?? null;
    // A provider that filters by language is trusted when the text is inconclusive.
    const declared = items.some(({ filtered }) => filtered) ? requestedLang : undefined;
    return { url, key, title, snippet, publishedAt, lang, score, declared };
  });
}

function textOf({ title, snippet, declared }: Merged): LanguageSample {
  return { text: `${title}\n${snippet}`, declared };
}

/** `detected` has the languages of the results without one, in their order; missing ones become `und`. */
function withLanguages(merged: readonly Merged[], detected: readonly string[]): ExternalResult[] {
  const next = detected[Symbol.iterator]();
  return merged.map(({ declared: _, lang, ...result }) => ({
    ...result,
    lang: lang ?? next.next().value ?? 'und',
  }));
}

function verdict({ states }: PoolAnswer): Pick<ExternalAnswer, 'state' | 'failures'> {
  const failures = states.flatMap(({ provider, state }): ExternalFailure[] => {
    if (state.kind === 'partial') return [{ provider, message: state.message, answeredInPart: true }];
    if (state.kind !== 'failed' && state.kind !== 'resting') return [];
    const { message, retryAfterSeconds } = state;
    return [{ provider, message, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }];
  });
  const answered = states.some(
    ({ state: { kind } }) => kind === 'ok' || kind === 'empty' || kind === 'partial',
  );
  if (failures.length === 0) return { failures, state: answered ? 'ok' : 'none' };
  return { failures, state: answered ? 'partial' : 'failed' };
}
