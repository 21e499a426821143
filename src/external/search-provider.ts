import type { TimeRange } from '../contract/time-range.ts';
import type { Query } from '../query/query.ts';

/** A search in our own terms; each provider renders it in its own syntax. */
export interface ProviderRequest {
  /** The whole query; the `site` parameter is a part of it. */
  readonly query: Query;
  /** Primary subtag of the only accepted language. */
  readonly lang?: string;
  /** Rendered as the provider's nearest filter: theirs uses the time of publication or discovery, ours of the crawl. */
  readonly timeRange?: TimeRange;
  /** Maximum number of results; a provider may return fewer, at most one page. */
  readonly limit: number;
  /** Number of the provider's results to skip. */
  readonly offset: number;
  /** How many instances of Gleaner have forwarded this request. With one or more, no other instance is queried. */
  readonly hops?: number;
}

/** What a provider's own search supports. The rest is checked on its results, as far as they show it. */
export interface ProviderSupport {
  readonly lang: boolean;
  readonly timeRange: boolean;
  readonly site: boolean;
  /** Without it, only the provider's first page is available. */
  readonly offset: boolean;
  readonly operators: {
    readonly phrase: boolean;
    readonly exclude: boolean;
    readonly or: boolean;
    readonly intitle: boolean;
    readonly filetype: boolean;
  };
}

/** One result of a provider. Every text is plain, one line, without control and invisible characters. */
export interface ProviderResult {
  /** Absolute http or https URL, not canonical. */
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  /** Epoch milliseconds; null when the provider does not say. */
  readonly publishedAt: number | null;
  /** Primary subtag; null when the provider does not say, as most do not. */
  readonly lang: string | null;
}

/** The rate limit that a provider publishes. */
export interface ProviderRate {
  readonly concurrency: number;
  readonly perSecond: number;
  /** Maximum requests at once after a pause. */
  readonly burst: number;
}

/** The remaining quota that a provider reported; null where it did not say. */
export interface ProviderQuota {
  readonly remaining: number | null;
  readonly limit: number | null;
  /** Seconds until `remaining` is full again. */
  readonly resetSeconds: number | null;
}

export interface ProviderAnswer {
  /** In the provider's order, from `offset` on, without results that certainly break a filter or an operator. */
  readonly results: readonly ProviderResult[];
  /** Whether the provider may have more results after these. */
  readonly more: boolean;
  readonly quota: ProviderQuota | null;
  /** How long the provider asks us to pause; 0 when it did not say. */
  readonly pauseSeconds: number;
  /** What the provider could not search, as a sentence with its name; absent for a complete answer. */
  readonly missing?: string;
}

/** One external search service. */
export interface SearchProvider {
  /** As in `GLEANER_EXTERNAL`, e.g. `brave`. */
  readonly name: string;
  /** Display name, e.g. `Brave Search`. */
  readonly title: string;
  readonly supports: ProviderSupport;
  readonly rate: ProviderRate;
  /** Why this provider cannot serve the request (language, offset, no search word); undefined when it can. */
  unfit(request: ProviderRequest): string | undefined;
  /** Rejects with a `ProviderError`, or with the signal's reason when that is aborted. */
  search(request: ProviderRequest, signal: AbortSignal): Promise<ProviderAnswer>;
}

/** Every kind of provider failure. */
export type FailureKind =
  /** The key is missing or invalid. */
  | 'unauthorized'
  /** The provider refuses the request: its plan, a disabled format, a blocked address. */
  | 'forbidden'
  /** Too many requests, or the quota is used up. */
  | 'limited'
  /** The provider is broken or down. */
  | 'unavailable'
  /** It answered without results, and reports that its search was incomplete. */
  | 'incomplete'
  | 'timeout'
  /** The reply does not have the documented form. */
  | 'malformed'
  | 'too_large'
  /** No connection, or one that broke twice. */
  | 'connection';

/** A provider's failure. The message says what was wrong and what to do, in our own words: no key, no URL. */
export class ProviderError extends Error {
  readonly kind: FailureKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: FailureKind, message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = 'ProviderError';
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The result of one provider in one search. `message` is for people and contains no key and no URL. */
export type ProviderState =
  | { readonly kind: 'ok'; readonly tookMs: number }
  /** It answered, and reports that its search was incomplete. */
  | { readonly kind: 'partial'; readonly message: string; readonly tookMs: number }
  /** It answered without results. */
  | { readonly kind: 'empty'; readonly tookMs: number }
  | {
      readonly kind: 'failed';
      readonly why: FailureKind;
      readonly message: string;
      readonly retryAfterSeconds?: number;
      readonly tookMs: number;
    }
  /** Not queried: it failed repeatedly, requested a pause, or its rate limit is used up. */
  | {
      readonly kind: 'resting';
      readonly why: 'failures' | 'asked for a pause' | 'rate';
      readonly message: string;
      readonly retryAfterSeconds: number;
    }
  /** Not queried: it cannot serve such a request. No failure. */
  | { readonly kind: 'unfit'; readonly message: string };
