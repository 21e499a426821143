import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import ipaddr from 'ipaddr.js';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ServiceError } from '../contract/errors.ts';
import type { AdmissionControlStats } from '../limits/admission.ts';
import type { BucketCounts } from '../limits/client-limits.ts';
import { hostnameOf } from '../limits/loopback.ts';
import { loggedStatus } from './client-gone.ts';
import { originOf, type RefusalReason } from './rate-limit.ts';

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

export interface MetricsOptions {
  readonly state: () => Promise<ServiceState>;
  readonly admissionStats: () => AdmissionControlStats;
  readonly access: 'private' | 'public';
  /** The metrics of the other processes of the service, to be summed with those of this one. */
  readonly others?: () => Promise<readonly MetricsSnapshot[]>;
}

/** The metrics of one process at one moment, as JSON. */
export type MetricsSnapshot = readonly object[];

/** The metrics of one service, with the functions that feed them. */
export interface Metrics {
  /** Counts every request under its route. */
  readonly count: MiddlewareHandler;
  /** `/metrics`; throws `not_found` for a client that may not read it. */
  answer(c: Context): Promise<Response>;
  snapshot(): Promise<MetricsSnapshot>;
  onPhase(phase: string, tookMs: number): void;
  onProviderState(provider: string, state: { readonly kind: string; readonly tookMs?: number }): void;
  onRefused(why: RefusalReason): void;
}

/** Histogram buckets, from 0.1 ms to 10 s. */
const seconds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
];

/** Creates the metrics of one service, with those of Node itself, such as the event loop delay. */
export function createMetrics({ state, admissionStats, access, others }: MetricsOptions): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });

  const requests = new Counter({
    name: 'gleaner_http_requests_total',
    help: 'Requests by route, method and status; 499 for a client that went away before its answer.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'gleaner_http_request_duration_seconds',
    help: 'From the headers of a request to the beginning of its answer.',
    labelNames: ['route'],
    buckets: seconds,
    registers,
  });
  const phaseSeconds = new Histogram({
    name: 'gleaner_search_phase_duration_seconds',
    help: 'The phases of a search: match, rerank, results, web.',
    labelNames: ['phase'],
    buckets: seconds,
    registers,
  });
  const providerRequests = new Counter({
    name: 'gleaner_provider_requests_total',
    help: 'Questions to other search services, by what became of them.',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const providerSeconds = new Histogram({
    name: 'gleaner_provider_duration_seconds',
    help: 'How long other search services took.',
    labelNames: ['provider'],
    buckets: seconds,
    registers,
  });
  const refusedRequests = new Counter({
    name: 'gleaner_refused_requests_total',
    help: 'Requests that were turned away, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const setState = stateGauges(registers);
  const setCluster = clusterGauges(registers);
  const setLimiter = limiterGauges(registers);
  // Several processes are counted by their primary.
  if (!others) workerMetrics(registers).setWorkers(1);

  const snapshot = async (): Promise<MetricsSnapshot> => {
    setLimiter(admissionStats());
    const now = await state();
    setState(now);
    setCluster(now.cluster);
    return register.getMetricsAsJSON();
  };

  return {
    count: async (c, next) => {
      const from = performance.now();
      await next();
      const route = routeOf(c);
      requests.inc({ route, method: methodOf(c), status: loggedStatus(c) });
      requestSeconds.observe({ route }, (performance.now() - from) / 1000);
    },
    answer: async (c) => {
      if (access === 'private' && !isPrivate(c))
        throw new ServiceError('not_found', 'there is nothing at this address');
      const [own, theirs] = await Promise.all([snapshot(), others?.() ?? []]);
      const summed = others ? AggregatorRegistry.aggregate([own, ...theirs]) : register;
      c.header('Cache-Control', 'no-store');
      return c.body(await summed.metrics(), 200, { 'Content-Type': register.contentType });
    },
    snapshot,
    onPhase: (phase, tookMs) => phaseSeconds.observe({ phase }, tookMs / 1000),
    onProviderState: (provider, { kind, tookMs }) => {
      providerRequests.inc({ provider, outcome: kind });
      if (tookMs !== undefined) providerSeconds.observe({ provider }, tookMs / 1000);
    },
    onRefused: (reason) => refusedRequests.inc({ reason }),
  };
}

/** The metrics of the process that starts and ends the others. */
export interface PrimaryMetrics extends WorkerMetrics {
  snapshot(bucketCounts: BucketCounts): Promise<MetricsSnapshot>;
}

interface WorkerMetrics {
  /** The number of processes that answer. */
  setWorkers(count: number): void;
  onExit(): void;
}

export function createPrimaryMetrics(): PrimaryMetrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const setClients = clientGauge(registers);
  return {
    ...workerMetrics(registers),
    snapshot: async (counts) => {
      setClients(counts);
      return register.getMetricsAsJSON();
    },
  };
}

function workerMetrics(registers: Registry[]): WorkerMetrics {
  const workers = new Gauge({
    name: 'gleaner_workers',
    help: 'Processes that answer requests.',
    registers,
  });
  const exits = new Counter({
    name: 'gleaner_worker_exits_total',
    help: 'Processes of the service that ended without being asked to, and were started again.',
    registers,
  });
  return { setWorkers: (count) => workers.set(count), onExit: () => exits.inc() };
}

function stateGauges(registers: Registry[]): (state: ServiceState) => void {
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
function clusterGauges(registers: Registry[]): (cluster: ServiceState['cluster']) => void {
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

function limiterGauges(registers: Registry[]): (stats: AdmissionControlStats) => void {
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

function clientGauge(registers: Registry[]): (counts: Partial<BucketCounts>) => void {
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

/** The pattern of the route that answered. A path would be unbounded: clients choose it. */
function routeOf(c: Context): string {
  return matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path ?? 'none';
}

const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

function methodOf(c: Context): string {
  return methods.has(c.req.method) ? c.req.method : 'other';
}

/** Headers with which proxies pass on the client or the host. Headers of service meshes are not among them. */
const proxyHeaders = [
  ...['cdn-loop', 'cf-connecting-ip', 'cf-connecting-ipv6', 'cf-ray', 'client-ip', 'fastly-client-ip'],
  ...['fly-client-ip', 'forwarded', 'true-client-ip', 'via', 'x-appengine-user-ip', 'x-azure-clientip'],
  ...['x-client-ip', 'x-cluster-client-ip', 'x-envoy-external-address', 'x-forwarded', 'x-forwarded-for'],
  ...['x-forwarded-host', 'x-forwarded-server', 'x-host', 'x-original-forwarded-for', 'x-original-host'],
  'x-real-ip',
];

/**
 * Whether a request came directly from a private network. A request through a proxy, or with a host name of the public
 * DNS, may come from anywhere.
 */
function isPrivate(c: Context): boolean {
  const { remoteAddress = '', header } = originOf(c);
  const host = header('host');
  return (
    !proxyHeaders.some((name) => header(name) !== undefined) &&
    isPrivateAddress(remoteAddress.replace(/%.*/, '')) &&
    isPrivateHost(hostnameOf(c.req.url)) &&
    (host === undefined || isPrivateHost(hostnameOf(`http://${host}`)))
  );
}

const privateRanges = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

function isPrivateAddress(address: string): boolean {
  return ipaddr.isValid(address) && privateRanges.has(ipaddr.process(address).range());
}

/** Names that do not exist in the public DNS (RFC 6761, 6762, 8375; ICANN on `internal`), and private addresses. */
function isPrivateHost(host: string): boolean {
  if (ipaddr.isValid(host)) return isPrivateAddress(host);
  return /^[^.]+$|\.(?:internal|local|localhost|home\.arpa)$/.test(host);
}
