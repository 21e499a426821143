import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Environment, runGleaner, startGleaner } from '../../process.ts';
import { runHere } from '../../run-here.ts';
import { openSite } from '../../site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { askWithoutPause, type Tally } from './steady-load.ts';

/** Processes take a second to start, and many on a machine that has other work. */
const patience = { timeout: 60_000, interval: 100 };

async function startService(workers: number, settings: Environment) {
  const args = ['serve', '--workers', String(workers), '--port', '0', '--data', temporaryFolder()];
  const service = startGleaner(args, '', { GLEANER_LOG: 'info', ...settings });
  const [, url = ''] = await service.says(/listens on (\S+)/);
  await service.says(/Add pages/);
  const metric = async (pattern: RegExp): Promise<number> => {
    const response = await fetch(`${url}/metrics`, { headers: { Connection: 'close' } });
    return Number(pattern.exec(await response.text())?.[1] ?? Number.NaN);
  };
  /** The processes that have answered since the log had this length. */
  const answering = (since = 0): number[] => [
    ...new Set(
      [
        ...service
          .stderr()
          .slice(since)
          .matchAll(/"pid":(\d+).*"msg":"request"/g),
      ].map(([, pid]) => Number(pid)),
    ),
  ];
  return { ...service, url, metric, answering };
}

/** The status of each of `count` searches that are sent at once, each over a connection of its own. */
function searchAtOnce(url: string, count: number): Promise<number[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const headers = { Connection: 'close' };
      const response = await fetch(`${url}/api/v1/search?q=gleaner+-word${number}`, { headers });
      await response.text();
      return response.status;
    }),
  );
}

async function readPage(
  url: string,
  page: string,
): Promise<{ isError?: boolean; content: { text: string }[] }> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'fetch_content', arguments: { url: page } },
  };
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Connection: 'close',
  };
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.text();
  return JSON.parse(answer.replace(/^[^{]*(?:data: )?/, '')).result;
}

const outcomeOf = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: Error) => error);

const times = (values: readonly number[], value: number) => values.filter((each) => each === value).length;

type Service = Awaited<ReturnType<typeof startService>>;

/** Loads the service, from `clients` connections, while something happens to it. */
async function underLoad(
  { url }: Service,
  id: string,
  during: (tally: Tally) => Promise<void>,
): Promise<Tally> {
  const tally: Tally = { answered: 0, lost: [] };
  let isEnough = false;
  const all = Array.from({ length: clients }, () =>
    askWithoutPause(`${url}/api/v1/content/${id}`, tally, () => isEnough),
  );
  await goesOn(tally);
  await during(tally);
  isEnough = true;
  await Promise.all(all);
  return tally;
}

const clients = 8;

async function goesOn(tally: Tally): Promise<void> {
  const { answered } = tally;
  await expect.poll(() => tally.answered, patience).toBeGreaterThan(answered + 50);
}

async function expectOneBucket({ url, metric, answering }: Service): Promise<void> {
  // One has been answered already.
  const statuses = [200, ...(await searchAtOnce(url, 60))];
  // A full queue costs no token: what it turned away may be asked again.
  while (times(statuses, 200) < 20 && statuses.length < 600) statuses.push(...(await searchAtOnce(url, 10)));
  statuses.push(...(await searchAtOnce(url, 20)));
  expect(times(statuses, 200)).toBe(20);
  expect(answering()).toHaveLength(2);
  const answered = /gleaner_http_requests_total\{route="\/api\/v1\/search",method="GET",status="200"\} (\d+)/;
  // Whichever worker is asked.
  expect([await metric(answered), await metric(answered)]).toEqual([20, 20]);
  expect(await metric(/^gleaner_workers (\d+)/m)).toBe(2);
  expect(await metric(/^gleaner_worker_exits_total (\d+)/m)).toBe(0);
  expect(await metric(/^gleaner_limiter_clients\{bucket="search"\} (\d+)/m)).toBe(1);
}

async function expectOwnCallsLost(service: Service, id: string): Promise<void> {
  const { metric, answering, stderr } = service;
  const { lost } = await underLoad(service, id, async (tally) => {
    const [victim = 0] = answering();
    process.kill(victim, 'SIGKILL');
    await goesOn(tally);
    await expect.poll(() => metric(/^gleaner_workers (\d+)/m), patience).toBe(2);
  });
  // Connections go to the two workers in turn. A client whose connection broke opens another one, which may go to the worker that
  // was killed as well, until its end is known.
  expect(lost.length).toBeLessThanOrEqual(clients);
  expect(await metric(/^gleaner_worker_exits_total (\d+)/m)).toBe(1);
  expect(stderr()).toContain('is started again after a pause');
}

async function expectRestartWithoutLoss(service: Service, id: string): Promise<void> {
  const { answering, child, stderr } = service;
  const before = answering();
  let length = 0;
  const { lost } = await underLoad(service, id, async (tally) => {
    child.kill('SIGHUP');
    await expect.poll(stderr, patience).toContain('Restarted.');
    length = stderr().length;
    await goesOn(tally);
  });
  expect(lost).toEqual([]);
  expect(answering(length).filter((pid) => before.includes(pid))).toEqual([]);
}

test('two workers have one bucket for a client; a kill loses its own calls alone, a restart and a stop none', async () => {
  const service = await startService(2, {
    GLEANER_SEARCH_LIMIT: '1/20',
    GLEANER_CONTENT_LIMIT: 'off',
    GLEANER_IN_FLIGHT_LIMIT: '1000',
  });
  const answer = await (await fetch(`${service.url}/api/v1/search?q=gleaner`)).json();
  await expectOneBucket(service);
  const [{ id }] = (answer as { results: [{ id: string }] }).results;
  await expectOwnCallsLost(service, id);
  await expectRestartWithoutLoss(service, id);
  const { lost } = await underLoad(service, id, async (tally) => {
    tally.isStopping = true;
    service.child.kill('SIGTERM');
    expect((await service.finished).code).toBe(0);
  });
  expect(lost).toEqual([]);
  expect(service.stderr().match(/listens on/g)).toHaveLength(1);
}, 300_000);

test.skipIf(process.platform === 'win32')(
  'a connection that a killed worker had not yet taken is closed, so its client does not wait',
  async () => {
    const { url, answering } = await startService(2, {});
    await searchAtOnce(url, 10);
    const [stopped = 0] = answering();
    process.kill(stopped, 'SIGSTOP');
    const outcomes: unknown[] = [];
    for (let n = 0; n < 6; n++)
      void outcomeOf(searchAtOnce(url, 1)).then((outcome) => outcomes.push(outcome));
    await expect.poll(() => outcomes.length, patience).toBe(5);
    process.kill(stopped, 'SIGKILL');
    await expect.poll(() => outcomes.length, patience).toBe(6);
    expect(outcomes.filter((outcome) => outcome instanceof Error)).toHaveLength(1);
  },
  120_000,
);

test('two workers have one limit in flight, and one process visits pages for both', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const page = '<title>Herons</title><p>Herons stand in shallow water and wait for fish to come near.</p>';
  const site = await openSite({
    '/heron': async () => {
      await held;
      return page;
    },
  });
  const { url, metric, stderr } = await startService(2, {
    GLEANER_LEARN: '1',
    GLEANER_ALLOW_PRIVATE: '1',
    GLEANER_IN_FLIGHT_LIMIT: '4',
  });
  const reads = Array.from({ length: 10 }, () => readPage(url, site.url('/heron')));
  await expect
    .poll(() => metric(/^gleaner_refused_requests_total\{reason="in_flight"\} (\d+)/m), patience)
    .toBe(6);
  release();
  const answers = await Promise.all(reads);
  expect(answers.filter(({ isError }) => !isError)).toHaveLength(4);
  expect(site.timesAsked('/heron')).toBe(1);
  // A worker that did not read the page itself finds it within a second or so.
  const search = async () => (await (await fetch(`${url}/api/v1/search?q=shallow+heron`)).json()) as object;
  await expect.poll(search, patience).toMatchObject({ total: 1 });
  expect(stderr()).not.toContain('"level":50');
}, 120_000);

describe('what is refused', () => {
  test.each(['0', '-1', '1.5', 'abc', '257'])('--workers=%s', async (value) => {
    const { code, stderr } = await runHere('serve', `--workers=${value}`, '--data', temporaryFolder());
    expect([code, stderr]).toEqual([
      1,
      'gleaner: GLEANER_WORKERS: must be a whole number from 1 to 256 (--workers)\n',
    ]);
  });

  test('a port that is taken, in one line', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const args = ['serve', '--workers', '2', '--port', String(port), '--data', temporaryFolder()];
    const { code, stderr } = await runGleaner(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^gleaner: port \d+ on 127\.0\.0\.1 is taken: [^\n]*\n$/);
  });
});

test('processes that end while they start end the service, with the reason', async () => {
  const ends = 'data:text/javascript,if(process.send)process.exit(7)';
  const args = ['serve', '--workers', '2', '--port', '0', '--data', temporaryFolder()];
  const { code, stderr } = await startGleaner(args, '', { NODE_OPTIONS: `--import=${ends}` }).finished;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^gleaner: 5 processes of the service ended .* the last one with exit status 7/m);
});

test.runIf(process.platform === 'linux')('--workers 1 is one process', async () => {
  const { child, stderr } = await startService(1, {});
  expect(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).toBe('');
  expect(stderr()).not.toContain('Workers:');
});
