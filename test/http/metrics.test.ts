import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMetrics, type MetricsOptions } from '../../src/http/metrics/metrics.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { silentLog } from '../../src/runtime.ts';
import { openLibrary } from '../tools/library.ts';

let library: Awaited<ReturnType<typeof openLibrary>>;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

const state = {
  pages: 7,
  searchablePages: 6,
  damagedPages: 8,
  livePages: 5,
  segments: 4,
  unpackedChanges: 3,
  indexBytes: 2000,
  pageChanges: 9,
  frontierUrls: 11,
  isStoreWritable: true,
  providers: { brave: true, mojeek: false },
};
const limiter = {
  inFlight: 2,
  waiting: 1,
  serviceMs: 3,
  clients: { search: 10, content: 20, fallback: 30, key: 40, keyFallback: 50 },
};

function open(options: Partial<MetricsOptions> = {}) {
  const metrics = createMetrics({
    state: async () => state,
    admissionStats: () => limiter,
    access: 'private',
    ...options,
  });
  const app = createRoutes({
    engine: library.engine,
    log: silentLog,
    version: '1.2.3',
    docs: [],
    readiness: () => ({ notReady: undefined, pages: 0, searchable: 0, providers: {} }),
    origins: '*',
    logQueries: false,
    metrics,
  });
  const ask = (path: string, init: RequestInit = {}, remoteAddress = '127.0.0.1') =>
    app.request(path, init, { incoming: { socket: { remoteAddress } } });
  const read = async () => (await ask('/metrics')).text();
  return { metrics, ask, read };
}

test('requests are counted by the pattern of their route, their method and their status', async () => {
  const { ask, read } = open();
  for (const path of ['/api/v1/search?q=heron', '/api/v1/search?q=owl', '/api/v1/search', '/docs'])
    await ask(path);
  for (const id of ['x', 'y', 'z']) await ask(`/api/v1/content/${id}`);
  await ask('/nothing/1');
  await ask('/nothing/2', { method: 'PROPFIND' });
  await ask('/healthz', { method: 'POST' });
  const text = await read();
  const counted = (labels: string) => text.match(`gleaner_http_requests_total{${labels}} (\\d+)`)?.[1];
  expect(counted('route="/api/v1/search",method="GET",status="200"')).toBe('2');
  expect(counted('route="/api/v1/search",method="GET",status="400"')).toBe('1');
  expect(counted('route="/api/v1/content/:id",method="GET",status="404"')).toBe('3');
  expect(counted('route="/docs",method="GET",status="200"')).toBe('1');
  expect(counted('route="none",method="GET",status="404"')).toBe('1');
  expect(counted('route="none",method="other",status="404"')).toBe('1');
  expect(counted('route="/healthz",method="POST",status="405"')).toBe('1');
  expect(text).toContain('gleaner_http_request_duration_seconds_count{route="/api/v1/search"} 3');
});

test('the phases of a search, the providers and refusals are told by those who know', async () => {
  const { metrics, read } = open();
  metrics.onPhase('match', 3);
  metrics.onPhase('match', 30);
  metrics.onProviderState('brave', { kind: 'failed', tookMs: 700 });
  metrics.onRefused('rate');
  const text = await read();
  const has = [
    'gleaner_search_phase_duration_seconds_bucket{le="0.005",phase="match"} 1',
    'gleaner_search_phase_duration_seconds_count{phase="match"} 2',
    'gleaner_provider_requests_total{provider="brave",outcome="failed"} 1',
    'gleaner_provider_duration_seconds_count{provider="brave"} 1',
    'gleaner_refused_requests_total{reason="rate"} 1',
  ];
  for (const line of has) expect(text).toContain(line);
});

test('the state of the service is read when it is asked for', async () => {
  const text = await open().read();
  const has = {
    gleaner_pages: 7,
    gleaner_searchable_pages: 6,
    gleaner_damaged_pages: 8,
    gleaner_index_live_pages: 5,
    gleaner_index_segments: 4,
    gleaner_index_unpacked_changes: 3,
    gleaner_index_bytes: 2000,
    gleaner_page_changes: 9,
    gleaner_crawl_frontier_urls: 11,
    'gleaner_provider_up{provider="brave"}': 1,
    'gleaner_provider_up{provider="mojeek"}': 0,
    gleaner_requests_in_flight: 2,
    gleaner_requests_waiting: 1,
    gleaner_turn_seconds: 0.003,
    'gleaner_limiter_clients{bucket="content"}': 20,
  };
  for (const [name, value] of Object.entries(has)) expect(text).toContain(`\n${name} ${value}\n`);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
});

test('it is for private addresses that come through no proxy, unless it is public', async () => {
  const { ask } = open();
  const statusOf = async (address: string, headers: Record<string, string> = {}) =>
    (await ask('/metrics', { headers }, address)).status;
  for (const address of ['127.0.0.1', '::1', '10.1.2.3', '::ffff:192.168.0.9', 'fd00::5', 'fe80::1%eth0'])
    expect([address, await statusOf(address)]).toEqual([address, 200]);
  for (const address of ['203.0.113.9', '2001:4860::1', '', '::ffff:203.0.113.9'])
    expect([address, await statusOf(address)]).toEqual([address, 404]);
  expect(await statusOf('127.0.0.1', { 'X-Forwarded-For': '10.0.0.1' })).toBe(404);
  expect(await statusOf('127.0.0.1', { Forwarded: 'for=10.0.0.1' })).toBe(404);
  const everybody = open({ access: 'public' });
  expect((await everybody.ask('/metrics', {}, '203.0.113.9')).status).toBe(200);
});

test('the answer is in the format of Prometheus and is not kept', async () => {
  const { headers } = await open().ask('/metrics');
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(headers.get('cache-control')).toBe('no-store');
});
