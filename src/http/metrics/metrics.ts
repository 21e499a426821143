import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { ServiceError } from '../../contract/errors.ts';
import type { AdmissionControlStats } from '../../limits/admission.ts';
import type { BucketCounts } from '../../limits/client-limits.ts';
import { loggedStatus } from '../client-gone.ts';
import type { RefusalReason } from '../rate-limit.ts';
import { isPrivateClient } from '../security/private-client.ts';
import { clientGauge, clusterGauges, limiterGauges, type ServiceState, stateGauges } from './gauges.ts';

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
      if (access === 'private' && !isPrivateClient(c))
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

/** The pattern of the route that answered. A path would be unbounded: clients choose it. */
function routeOf(c: Context): string {
  return matchedRoutes(c).findLast(({ path }) => !path.includes('*'))?.path ?? 'none';
}

const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

function methodOf(c: Context): string {
  return methods.has(c.req.method) ? c.req.method : 'other';
}
