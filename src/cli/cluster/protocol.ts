import type { ReadElsewhere, SearchElsewhere, SearchedElsewhere, StoredRead } from '../../app/elsewhere.ts';
import type { Config } from '../../config/config.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { SiteCrawlReport, SiteCrawlRequest } from '../../engine/site-crawl.ts';
import type { MetricsSnapshot } from '../../http/metrics/metrics.ts';
import type { LimitReply, LimitRequest } from '../../limits/shared-limits.ts';
import type { Log } from '../../runtime.ts';
import type { Peer } from './calls.ts';

/** What a process of the service is for. A `worker` answers over HTTP; the `background` process alone writes. */
export type ProcessRole = 'worker' | 'background';

/** How the primary tells a new process what to do. */
export interface Beginning {
  readonly role: ProcessRole;
  readonly port: number;
  /** The address of the service, once it is known. */
  readonly url: string | undefined;
  /** Whether the background process has packed what was due. */
  readonly isPrepared: boolean;
  /** See `HttpServiceOptions`. */
  readonly sessionSecret: string;
}

/** What the background process does for the workers, through the primary. */
export type BackgroundOffer = {
  search(request: SearchElsewhere, signal: AbortSignal): Promise<SearchedElsewhere>;
  read(request: ReadElsewhere, signal: AbortSignal): Promise<StoredRead>;
  crawl(request: SiteCrawlRequest, signal: AbortSignal): Promise<SiteCrawlReport>;
  shown(urls: readonly string[]): void;
};

/** What the primary answers to its processes. */
export type PrimaryOffer = BackgroundOffer & {
  /** The first call of a process: what it shall do. It can be called itself from then on. */
  begin(none: null): Beginning;
  listening(url: string): void;
  /** The background process has packed what was due. */
  prepared(none: null): void;
  /** With the number of pages that can be found. */
  ready(pages: number): void;
  /** The process ends because of this, and says nothing itself. */
  failed(why: { readonly code: ErrorCode; readonly message: string }): void;
  limits(requests: readonly LimitRequest[]): LimitReply[];
  /** The metrics of all other processes. */
  metrics(none: null): Promise<MetricsSnapshot[]>;
};

/** What each process answers to the primary. */
export type ChildOffer = BackgroundOffer & {
  /** The service has this address. */
  addressKnown(url: string): void;
  prepared(none: null): void;
  /** The service is about to stop. */
  stopping(none: null): void;
  /** Finish what is under way and end. */
  stop(none: null): void;
  metrics(none: null): Promise<MetricsSnapshot>;
};

/** What a process of the service has to know, whatever its role. */
export interface ChildContext {
  readonly config: Config;
  readonly log: Log;
  readonly primary: Peer<PrimaryOffer>;
  readonly beginning: Beginning;
  /** Resolves with the address of the service. */
  readonly url: Promise<string>;
  /** Resolves once the background process has packed what was due. */
  readonly prepared: Promise<void>;
  /** Aborted when the service is about to stop. */
  readonly stopping: AbortSignal;
  /** Aborted when this process has to finish. */
  readonly stop: AbortSignal;
  /** Adds to what the primary may call. */
  offer(more: Partial<ChildOffer>): void;
}
