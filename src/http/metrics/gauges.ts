import { Gauge, type Registry } from 'prom-client';
import type { AdmissionControlStats } from '../../limits/admission.ts';
import type { BucketCounts } from '../../limits/client-limits.ts';

/** The state of the service, read at each scrape; one gauge per field. */
export interface ServiceState {
  readonly pages: number;
  readonly searchablePages: number;
  /** Pages with a wrong checksum, among those that were read since the start. */
  readonly damagedPages: number;
  readonly livePages: number;
  readonly segments: number;
  /** Entries of the change log that are not packed yet. */
  readonly unpackedChanges: number;
  readonly indexBytes: number;
  /** Puts and removals of pages since the data folder was created, by all processes. */
  readonly pageChanges: number;
  /** URLs that a crawl has discovered and not visited yet. */
  readonly frontierUrls: number;
  /** The cluster that has the index; absent for the index in the data folder. */
  readonly cluster?: { readonly isUp: boolean; readonly failedPages: number };
  /** Whether the last write succeeded. */
  readonly isStoreWritable: boolean;
  /** Whether the last answer was good, by provider; providers without a request yet are missing. */
  readonly providers: Readonly<Record<string, boolean>>;
}

/** The gauges of a `ServiceState`. Returns how to set them, as the other functions here do. */
export function stateGauges(registers: Registry[]): (state: ServiceState) => void {
  // Every process tells the state of the same folder; the one that is behind tells what can be found for sure.
  const gauge = (name: string, help: string, aggregator: 'max' | 'min' = 'max') =>
    new Gauge({ name: `gleaner_${name}`, help, aggregator, registers });
  const pages = gauge('pages', 'Pages in the store.');
  const searchable = gauge(
    'searchable_pages',
    'Pages that can be found; the index may be catching up.',
    'min',
  );
  const damaged = gauge('damaged_pages', 'Stored pages that were read and are damaged: run gleaner verify.');
  const live = gauge('index_live_pages', 'Pages of the live tier: not packed yet.');
  const segments = gauge('index_segments', 'Packed segments.');
  const unpacked = gauge(
    'index_unpacked_changes',
    'Changes that are not packed yet, or not in the cluster that has the index.',
  );
  const bytes = gauge('index_bytes', 'Size of the packed index on disk.');
  const changes = gauge('page_changes', 'Pages put and removed since the data folder was made.');
  const frontier = gauge('crawl_frontier_urls', 'URLs that wait to be crawled.');
  const writable = gauge('store_writable', '1 while the data folder takes what is written, else 0.', 'min');
  const providers = new Gauge({
    name: 'gleaner_provider_up',
    help: '1 when the last answer of a search service was good, else 0.',
    aggregator: 'min',
    labelNames: ['provider'],
    registers,
  });
  return (state) => {
    pages.set(state.pages);
    searchable.set(state.searchablePages);
    damaged.set(state.damagedPages);
    live.set(state.livePages);
    segments.set(state.segments);
    unpacked.set(state.unpackedChanges);
    bytes.set(state.indexBytes);
    changes.set(state.pageChanges);
    frontier.set(state.frontierUrls);
    writable.set(state.isStoreWritable ? 1 : 0);
    for (const [provider, isUp] of Object.entries(state.providers)) providers.set({ provider }, isUp ? 1 : 0);
  };
}

/** They appear with the first state of a cluster, so that an index in the data folder has none. */
export function clusterGauges(registers: Registry[]): (cluster: ServiceState['cluster']) => void {
  let gauges: { readonly up: Gauge; readonly failed: Gauge } | undefined;
  const gauge = (name: string, help: string, aggregator: 'max' | 'min') =>
    new Gauge({ name: `gleaner_opensearch_${name}`, help, aggregator, registers });
  return (cluster) => {
    if (!cluster) return;
    gauges ??= {
      up: gauge('up', '1 while the cluster answers searches, else 0.', 'min'),
      failed: gauge('failed_pages', 'Pages that the cluster can never index.', 'max'),
    };
    gauges.up.set(cluster.isUp ? 1 : 0);
    gauges.failed.set(cluster.failedPages);
  };
}

export function limiterGauges(registers: Registry[]): (stats: AdmissionControlStats) => void {
  const gauge = (name: string, help: string, aggregator: 'sum' | 'average' = 'sum') =>
    new Gauge({ name: `gleaner_${name}`, help, aggregator, registers });
  const inFlight = gauge('requests_in_flight', 'Counted requests that are being worked on.');
  const waiting = gauge('requests_waiting', 'Counted requests that wait for their turn.');
  const turn = gauge('turn_seconds', 'How long the last turns took on average.', 'average');
  const setClients = clientGauge(registers);
  return (stats) => {
    inFlight.set(stats.inFlight);
    waiting.set(stats.waiting);
    turn.set(stats.serviceMs / 1000);
    setClients(stats.clients);
  };
}

export function clientGauge(registers: Registry[]): (counts: Partial<BucketCounts>) => void {
  const clients = new Gauge({
    name: 'gleaner_limiter_clients',
    help: 'Clients whose bucket is not full, by kind of bucket.',
    labelNames: ['bucket'],
    registers,
  });
  return (counts) => {
    for (const [bucket, count] of Object.entries(counts)) clients.set({ bucket }, count);
  };
}
