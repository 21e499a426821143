/** A bounded crawl that a client asks for. */
export interface SiteCrawlRequest {
  readonly url: string;
  readonly maxPages: number;
  /** Whether to follow only links into the folder of the URL. */
  readonly samePath: boolean;
  /** Whether it goes without the operator's credentials. */
  readonly isAnonymous?: boolean;
}

/** What a crawl stored and what it did not. */
export interface SiteCrawlReport {
  /** Pages that are new or have changed, and pages that were up to date. */
  readonly stored: number;
  readonly unchanged: number;
  /** The first URLs of both. */
  readonly urls: readonly string[];
  /** URLs without a page: each reason with their number and the first few. */
  readonly notStored: readonly {
    readonly why: string;
    readonly count: number;
    readonly urls: readonly string[];
  }[];
  /** URLs that wait for another call. */
  readonly queued: number;
  /** Why the crawl ended before its pages were done; absent when it did not. */
  readonly ended?: string;
}

export interface SiteCrawlOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with what it is doing, in words for a waiting user. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/**
 * Crawls a part of a site, by the rules of every crawl. Throws a `ServiceError`: `invalid_parameters` for a URL that is no
 * address of a page, `rate_limited` when the budget of such crawls is spent, `unavailable` while another one is under way
 * or another process writes.
 */
export type CrawlSite = (request: SiteCrawlRequest, options?: SiteCrawlOptions) => Promise<SiteCrawlReport>;
