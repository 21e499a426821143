import type { FederatedSearch } from '../external/federated-search.ts';
import type { OnDemandFetch } from './on-demand-fetch.ts';

/** What the engine may ask beyond its index. Each part is loaded when it is first needed. */
export interface Web {
  federatedSearch(): Promise<FederatedSearch>;
  reader(): Promise<OnDemandFetch>;
  /** Told which external results were shown, best first. */
  onShown(urls: readonly string[]): void;
  /** Where a page is kept that the web knows under another address (both as `addressKey`). */
  homeOf(addressKey: string): string;
}
