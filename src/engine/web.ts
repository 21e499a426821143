import type { FederatedSearch } from '../external/federated-search.ts';
import type { OnDemandFetch } from './on-demand-fetch.ts';
import type { CrawlSite } from './site-crawl.ts';

/** The engine's access to the network. The parts that are functions are loaded at their first use. */
export interface Web {
  /** Undefined if external search is off. */
  readonly federatedSearch: (() => Promise<FederatedSearch>) | undefined;
  reader(): Promise<OnDemandFetch>;
  /** Whether the reader visits pages. */
  readonly visitsPages: boolean;
  /** Crawls a part of a site; undefined where no crawler is. */
  readonly crawlSite?: CrawlSite | undefined;
  /** Called with the external results that were shown, best first. */
  onShown(urls: readonly string[]): void;
  /** The address under which a page is stored that was found under another one (both as `addressKey`). */
  homeOf(addressKey: string): string;
}
