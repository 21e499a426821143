import { createSingleFlightCache } from '../async/single-flight-cache.ts';
import type { Clock } from '../runtime.ts';
import type { LanguageThread, Undetected } from '../text/language/language-thread.ts';
import { fuseRankings } from './reciprocal-rank.ts';
import type { PoolAnswer, ProviderPool, ProviderRequest, ProviderResult } from './search-provider.ts';

/** What is asked of the web; how much of the answer is shown changes nothing of it, so that paging is stable. */
export type ExternalQuery = Pick<ProviderRequest, 'query' | 'lang' | 'timeRange' | 'hops'>;

/** One page of the web, whoever named it. */
export interface ExternalResult extends Omit<ProviderResult, 'lang'> {
  /** Canonical. */
  readonly url: string;
  /** Equal for the spellings of one address; see `addressKey`. */
  readonly key: string;
  /** Primary subtag, or `und`. */
  readonly lang: string;
  /** From 0 to 1; falls along the list. */
  readonly score: number;
}

/** A provider that could not be asked, or could not look everywhere, in words for whoever searches. */
export interface ExternalFailure {
  readonly provider: string;
  readonly message: string;
  /** It answered, and could not look everywhere. */
  readonly answeredInPart?: true;
  /** After how long it may be worth asking again, where that is known. */
  readonly retryAfterSeconds?: number;
}

/** What the web had to say. */
export interface ExternalAnswer {
  readonly results: readonly ExternalResult[];
  /** `none`: no provider has anything to say to such a question. */
  readonly state: 'ok' | 'partial' | 'failed' | 'none';
  readonly failures: readonly ExternalFailure[];
  /** When the answers were got, epoch milliseconds. */
  readonly retrievedAt: number;
  /** Languages could not be told in time. */
  readonly isGuess?: boolean;
}

/** Who else can we ask? The providers that are on, behind one cache. */
export interface FederatedSearch {
  /** False when no provider is on. */
  readonly isOn: boolean;
  /** What is known from an earlier question of the same kind; asks nobody. */
  peek(question: ExternalQuery): ExternalAnswer | undefined;
  /** Settles within the pool's deadline; rejects only with the signal's reason. */
  search(question: ExternalQuery, signal?: AbortSignal): Promise<ExternalAnswer>;
}

export interface FederatedSearchParts {
  readonly pool: ProviderPool;
  /** The one spelling of a page's address; null for what is no address of a page. */
  readonly canonicalUrl: (url: string) => string | null;
  /** Tells the languages of texts; made ready by `warmUp` before it is asked. */
  readonly languages: Pick<LanguageThread, 'detect' | 'warmUp'>;
  readonly now: Clock;
}

/** So many results are asked of each provider: the most that the smallest of them give on a page. */
export const resultsPerProvider = 20;

/** Of the deadline, for a question from another instance: it waits no longer itself, and the way back takes time. */
const peerDeadlineShare = 0.6;

/** What the telling of languages may take beyond the deadline. */
const minDetectionMs = 50;

const minuteMs = 60_000;
/** Long enough to read through a few pages of results and come back. */
const keepMs = 5 * minuteMs;
/** Long enough to page, short enough for a provider that failed to be asked again soon. */
const partialTtlMs = minuteMs / 2;
const maxCachedBytes = 16 * 1024 * 1024;

/**
 * Asks all providers and makes one list of their answers: by reciprocal rank, each page once, in the language that
 * was asked for. The same question within some minutes has the same answer. Nothing is kept of an answer without a
 * result, nor of one that every provider failed to give.
 */
export function createFederatedSearch(parts: FederatedSearchParts): FederatedSearch {
  const { pool, languages, now } = parts;
  /** Whether the last answers left languages open; until there were any, they are thought to. */
  let hasUndetected = true;
  const cache = createSingleFlightCache<ExternalAnswer>({
    ttlMs: ({ results, state, isGuess }) => {
      if (results.length === 0 || isGuess) return 0;
      return state === 'partial' ? partialTtlMs : keepMs;
    },
    bytesOf: (answer) => 2 * JSON.stringify(answer).length,
    maxBytes: maxCachedBytes,
    now,
  });

  const searchProviders = async (question: ExternalQuery, signal: AbortSignal): Promise<ExternalAnswer> => {
    const request = { ...question, limit: resultsPerProvider, offset: 0 };
    const deadlineMs = pool.deadlineMs * (question.hops ? peerDeadlineShare : 1);
    const until = performance.now() + deadlineMs;
    if (hasUndetected && pool.providers.some((provider) => provider.unfit(request) === undefined)) {
      languages.warmUp();
    }
    const asked = await pool.searchAll(request, { signal, deadlineMs });
    const found = merge(asked, question, parts);
    const open = found.filter(({ lang }) => lang === null);
    if (found.length > 0) hasUndetected = open.length > 0;
    const patienceMs = Math.max(minDetectionMs, until - performance.now());
    const told = open.length === 0 ? [] : await within(patienceMs, languages.detect(open.map(textOf)));
    const results = withLanguages(found, told ?? []).filter(({ lang }) => lang === (question.lang ?? lang));
    return { ...verdict(asked), results, retrievedAt: now(), isGuess: told === undefined };
  };

  return {
    isOn: pool.providers.length > 0,
    peek: (question) => cache.peek(keyOf(question)),
    search: (question, signal) =>
      cache.get(keyOf(question), (shared) => searchProviders(question, shared), signal),
  };
}

/** Without its scheme and `www.`, which sites spell in every way and hardly ever mean anything by. */
export function addressKey(canonicalUrl: string): string {
  return canonicalUrl.replace(/^https?:\/\/(?:www\.)?/, '');
}

/** The tree is free of the spelling of the query: quotes, cases, white space. */
function keyOf({ query, lang, timeRange, hops = 0 }: ExternalQuery): string {
  // How a word was spelt makes no other question.
  return JSON.stringify([query, lang, timeRange, hops], (name, value) =>
    name === 'typed' ? undefined : value,
  );
}

/** A result whose language may still have to be told. */
interface Merged extends Omit<ExternalResult, 'lang'> {
  readonly lang: string | null;
  /** What the language is where the text does not say. */
  readonly declared: string | undefined;
}

function merge(
  { answers }: PoolAnswer,
  { lang: wanted }: ExternalQuery,
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
    // Who filters by language may be believed where the text says nothing.
    const declared = items.some(({ filtered }) => filtered) ? wanted : undefined;
    return { url, key, title, snippet, publishedAt, lang, score, declared };
  });
}

function textOf({ title, snippet, declared }: Merged): Undetected {
  return { text: `${title}\n${snippet}`, declared };
}

/** `told` are the languages of those that had none, in their order; `und` where it ends early. */
function withLanguages(found: readonly Merged[], told: readonly string[]): ExternalResult[] {
  const next = told[Symbol.iterator]();
  return found.map(({ declared: _, lang, ...result }) => ({
    ...result,
    lang: lang ?? next.next().value ?? 'und',
  }));
}

/** What `work` resolves with, or undefined when that takes too long or fails. */
function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, undefined);
    work.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer));
  });
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
