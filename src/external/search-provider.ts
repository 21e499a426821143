import type { timeRanges } from '../contract/search.ts';
import type { Query } from '../query/query.ts';

export type TimeRange = Exclude<(typeof timeRanges)[number], 'all'>;

/** A search for other services, in our terms; each provider writes it in its own syntax. */
export interface ProviderRequest {
  /** Everything that is asked for; the `site` parameter stands in it as a part of its own. */
  readonly query: Query;
  /** Primary subtag of the only language that is wanted. */
  readonly lang?: string;
  /** Passed on as the provider's nearest filter: theirs goes by publication or discovery, ours by crawl. */
  readonly timeRange?: TimeRange;
  /** How many results are wanted; a provider gives at most as many as it has on a page. */
  readonly limit: number;
  /** How many of the provider's own results to skip. */
  readonly offset: number;
  /** Through how many instances of Gleaner this came already; an instance that was asked by one asks no other. */
  readonly hops?: number;
}

/** What a provider's own search understands. What is false is checked on its answers where that can be told. */
export interface ProviderSupport {
  readonly lang: boolean;
  readonly timeRange: boolean;
  readonly site: boolean;
  /** Without it, nothing can be had beyond the provider's first page. */
  readonly offset: boolean;
  readonly operators: {
    readonly phrase: boolean;
    readonly exclude: boolean;
    readonly or: boolean;
    readonly intitle: boolean;
    readonly filetype: boolean;
  };
}

/** One result of a provider. All text is plain, on one line, without control and invisible characters. */
export interface ProviderResult {
  /** Absolute, http or https, not canonical. */
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  /** Epoch milliseconds; null when the provider does not say. */
  readonly publishedAt: number | null;
  /** Primary subtag; null when the provider does not say, which is the rule. */
  readonly lang: string | null;
}

/** How often a provider may be asked, as it publishes it. */
export interface ProviderRate {
  readonly concurrency: number;
  readonly perSecond: number;
  /** Requests that may start at once after a pause. */
  readonly burst: number;
}

/** What a provider said of how often it may still be asked; null where it did not say. */
export interface ProviderQuota {
  readonly remaining: number | null;
  readonly limit: number | null;
  /** Seconds until `remaining` is full again. */
  readonly resetSeconds: number | null;
}

export interface ProviderAnswer {
  /** In the provider's order, from `offset` on; none of them is known to break a filter or an operator. */
  readonly results: readonly ProviderResult[];
  /** Whether the provider may have results after these. */
  readonly more: boolean;
  readonly quota: ProviderQuota | null;
  /** For how long the provider does not want to be asked again; 0 when it did not say. */
  readonly pauseSeconds: number;
  /** What the provider could not look at, as a sentence that names it; absent when it looked everywhere. */
  readonly missing?: string;
}

/** One service that searches the web. */
export interface SearchProvider {
  /** As in `GLEANER_EXTERNAL`, e.g. `brave`. */
  readonly name: string;
  /** Its name for people, e.g. `Brave Search`. */
  readonly title: string;
  readonly supports: ProviderSupport;
  readonly rate: ProviderRate;
  /** Why asking this would be of no use (another language, an offset, no word to look for); undefined when it is. */
  unfit(request: ProviderRequest): string | undefined;
  /** Rejects with a `WebSearchError`, or with the signal's reason when that is aborted. */
  search(request: ProviderRequest, signal: AbortSignal): Promise<ProviderAnswer>;
}

/** Every way in which a provider can fail us. */
export type FailureKind =
  /** The key is missing or not accepted. */
  | 'unauthorized'
  /** The provider knows us and refuses: a plan, a format that is off, a blocked address. */
  | 'forbidden'
  /** Asked too often, or the quota is used up. */
  | 'limited'
  /** The provider is broken or down. */
  | 'unavailable'
  /** It answered without a result and says, too, that it could not look everywhere. */
  | 'incomplete'
  | 'timeout'
  /** Not the documented form. */
  | 'malformed'
  | 'too_large'
  /** No connection, or one that broke twice. */
  | 'connection';

/** A provider's failure. The message says what was wrong and what to do, in our words alone: no key, no URL. */
export class ProviderError extends Error {
  readonly kind: FailureKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: FailureKind, message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = 'WebSearchError';
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** What became of one provider in one search. `message` is for people and free of keys and URLs. */
export type ProviderState =
  | { readonly kind: 'ok'; readonly tookMs: number }
  /** It answered, and says that it could not look everywhere. */
  | { readonly kind: 'partial'; readonly message: string; readonly tookMs: number }
  /** It answered: it has nothing. */
  | { readonly kind: 'empty'; readonly tookMs: number }
  | {
      readonly kind: 'failed';
      readonly why: FailureKind;
      readonly message: string;
      readonly retryAfterSeconds?: number;
      readonly tookMs: number;
    }
  /** Not asked: it failed so often, or asked for a pause, or our own rate for it is used up. */
  | {
      readonly kind: 'resting';
      readonly why: 'failures' | 'asked for a pause' | 'rate';
      readonly message: string;
      readonly retryAfterSeconds: number;
    }
  /** Not asked: it has nothing to say to such a request. No failure. */
  | { readonly kind: 'unfit'; readonly message: string };

export interface PoolAnswer {
  /** Of the providers whose state is `ok` or `partial`, in the order of `ProviderPool.providers`. */
  readonly answers: readonly { readonly provider: string; readonly answer: ProviderAnswer }[];
  /** Of every provider that is on, in the order of `ProviderPool.providers`. */
  readonly states: readonly { readonly provider: string; readonly state: ProviderState }[];
}

export interface SearchAllOptions {
  /** The caller's; aborts every request that is under way. */
  readonly signal?: AbortSignal | undefined;
  /** The configured one (2,500 ms) when not given. */
  readonly deadlineMs?: number;
}

/** All providers that are on, as one. */
export interface ProviderPool {
  /** In the order of preference; empty when the fallback is off. */
  readonly providers: readonly SearchProvider[];
  /** How long a question may take, in milliseconds. */
  readonly deadlineMs: number;
  /**
   * Asks all at once and settles when all have answered or the deadline has come, whatever a provider does.
   * Rejects only with the reason of the caller's signal.
   */
  searchAll(request: ProviderRequest, options?: SearchAllOptions): Promise<PoolAnswer>;
  /** Ends what is under way and closes the connections. */
  close(): Promise<void>;
}
