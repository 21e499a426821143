import { expect, onTestFinished, test } from 'vitest';
import { createCrawlReports } from '../../../../src/app/people/crawl-paces.ts';
import { createStatusReport } from '../../../../src/app/people/status-report.ts';
import { StatusReport } from '../../../../src/contract/status-report.ts';
import { createOutcomeStore } from '../../../../src/crawl/outcomes.ts';
import { createSchedule } from '../../../../src/crawl/schedule.ts';
import { silentLog } from '../../../../src/runtime.ts';
import { openApp } from '../../../opensearch/open-app.ts';
import { examplePage } from '../../../pages.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { databaseNotes, heronAlmanac, owlNotes } from '../../../tools/library.ts';
import { routesOver } from '../../rig.ts';

const rate = { perMinute: 60, burst: 20 };
const limits = { search: rate, content: 'off', fallback: rate, inFlight: 4, maxInFlight: 256 } as const;
const idle = { inFlight: 1, waiting: 2, serviceMs: 0, clients: {} };

async function openService(access: 'private' | 'public' = 'public') {
  const dataFolder = temporaryFolder();
  const app = openApp({ config: { dataFolder }, log: silentLog });
  onTestFinished(() => app.close());
  for (const page of [heronAlmanac, owlNotes, databaseNotes]) await app.pageWriter.put(page);
  let now = Date.UTC(2026, 5, 1);
  const external = { providers: ['wikipedia'], keys: {}, urls: {}, deadlineMs: 1000 } as never;
  const config = { dataFolder, external, limits };
  const crawls = createCrawlReports(app.store, () => now);
  const state = createStatusReport({ app, config, admissionStats: () => idle, crawls, now: () => now });
  const routes = routesOver(app.engine, { status: { ...state, access } });
  const ask = async () => StatusReport.strict().parse(await (await routes.request('/api/v1/status')).json());
  return {
    app,
    routes,
    ask,
    later: (ms: number) => {
      now += ms;
    },
  };
}

test('the state of pages, hosts, limits, services and the process', async () => {
  const { app, ask } = await openService();
  const outcomes = createOutcomeStore(app.store);
  const schedule = createSchedule(app.store);
  const plans = app.store.table('plans');
  const queue = app.store.table('due');
  expect(schedule.next()).toBeUndefined();
  const dueAt = Date.UTC(2027, 0, 2);
  await app.store.write((writer) => {
    for (const [path, outcome] of [
      ['a', 'not found'],
      ['b', 'not found'],
      ['c', 'too large'],
    ] as const)
      outcomes.put(writer, { url: `https://birds.example/${path}`, outcome, at: 1 });
    outcomes.put(writer, { url: 'https://gone.example/', outcome: 'no answer', at: 1 });
    writer.put(plans, owlNotes.id, { url: owlNotes.url, dueAt });
    writer.put(queue, `${String(dueAt).padStart(15, '0')} ${owlNotes.id}`, owlNotes.url);
  });
  const state = await ask();
  expect(state).toMatchObject({
    pages: 3,
    searchable: 3,
    copies: 0,
    storage: null,
    requests: { in_flight: 1, waiting: 2 },
    limits: { search: '60/20', content: 'off', in_flight: '4' },
    providers: [{ name: 'wikipedia', asked_at: null, failure: null }],
    crawls: [],
    host_count: 3,
    surveyed_at: '2026-06-01T00:00:00.000Z',
  });
  expect(state.hosts).toEqual([
    {
      host: 'birds.example',
      pages: 2,
      copies: 0,
      last_visit: '2026-03-01T12:00:00.000Z',
      next_visit: '2027-01-02T00:00:00.000Z',
      failures: [
        { reason: 'not found', urls: 2 },
        { reason: 'too large', urls: 1 },
      ],
    },
    expect.objectContaining({ host: 'db.example', next_visit: null, failures: [] }),
    expect.objectContaining({ host: 'gone.example', pages: 0, last_visit: null }),
  ]);
  expect(state.disk_bytes).toBeGreaterThan(0);
  expect(state.memory_bytes).toBeGreaterThan(0);
});

test('hosts are counted once a minute, and an old count is given while a new one is made', async () => {
  const { app, ask, later } = await openService();
  expect((await ask()).host_count).toBe(2);
  await app.pageWriter.put(examplePage({ url: 'https://new.example/' }));
  later(59_000);
  expect(await ask()).toMatchObject({ pages: 4, host_count: 2 });
  later(2000);
  await ask();
  await expect.poll(async () => (await ask()).host_count).toBe(3);
});

test('the page shows the same, and a crawl that runs is looked at again by itself', async () => {
  const { app, routes } = await openService();
  const page = async (query = '') => (await routes.request(`/status${query}`)).text();
  const html = await page();
  expect(html).toContain('<h1>Status</h1>');
  expect(html).toContain('<a href="/search?q=site%3Abirds.example">birds.example</a>');
  expect(html).toContain('not asked yet');
  expect(html).not.toContain('http-equiv="refresh"');
  const crawls = app.store.table('crawls');
  const record = { round: 1, nextSeq: 1, queued: 1234, pages: 5, running: true, hosts: [] };
  await app.store.write((writer) => writer.put(crawls, '<b>birds.example', record));
  const running = await page('?ui=zh');
  expect(running).toContain('<meta http-equiv="refresh" content="5">');
  expect(running).toContain('&lt;b&gt;birds.example</th><td>正在运行</td>');
  expect(running).toContain('1,234');
});

test('only those who may read the metrics see it, and no other origin', async () => {
  const { routes } = await openService('private');
  const local = { incoming: { socket: { remoteAddress: '127.0.0.1' } } };
  const remote = { incoming: { socket: { remoteAddress: '203.0.113.7' } } };
  for (const path of ['/status', '/api/v1/status']) {
    const ask = (headers: Record<string, string>, from: object) => routes.request(path, { headers }, from);
    const seen = await ask({ host: 'localhost' }, local);
    expect([path, seen.status, seen.headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
    expect(seen.headers.get('access-control-allow-origin')).toBeNull();
    expect((await ask({ host: 'localhost' }, remote)).status).toBe(404);
    expect((await ask({ host: 'localhost', 'x-forwarded-for': '127.0.0.1' }, local)).status).toBe(404);
    expect((await ask({ host: 'search.example' }, local)).status).toBe(404);
  }
  const link = async (from: object) =>
    (await (await routes.request('/', { headers: { host: 'localhost' } }, from)).text()).includes(
      '"/status"',
    );
  expect([await link(local), await link(remote)]).toEqual([true, false]);
});
