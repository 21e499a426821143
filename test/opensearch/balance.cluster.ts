import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { clusterNames } from '../../src/index/opensearch/generation.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { examplePage } from '../pages.ts';
import { startGleaner, startProcess } from '../process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openFed, ownPrefix } from './cluster/fed-index.ts';

const config = readFileSync(
  fileURLToPath(new URL('../../packaging/opensearch/haproxy.cfg', import.meta.url)),
  'utf8',
);
const clients = 3;
const rounds = 2;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** HAProxy with the configuration of the package, before front ends at these ports, and what it knows of them. */
async function startProxy(ports: readonly number[]) {
  const port = await freePort();
  const statePort = await freePort();
  const file = join(temporaryFolder(), 'haproxy.cfg');
  const here = config
    .replace('bind :8080', `bind 127.0.0.1:${port}`)
    .replace(/front-(\d):8080/g, (_, number) => `127.0.0.1:${ports[Number(number) - 1]}`);
  const state = `frontend state\n    bind 127.0.0.1:${statePort}\n    stats enable\n    stats uri /\n`;
  writeFileSync(file, `${here}\n${state}`);
  startProcess('haproxy', ['-db', '-f', file], 'open');
  /** `UP` or `DOWN`, with how far it is from the other one. */
  const stateOf = async (which: number): Promise<string | undefined> => {
    const [header = '', ...lines] = (await (await fetch(`http://127.0.0.1:${statePort}/;csv`)).text()).split(
      '\n',
    );
    const line = lines.find((each) => each.startsWith(`front_ends,front-${which + 1},`));
    return line?.split(',')[header.split(',').indexOf('status')];
  };
  return { url: `http://127.0.0.1:${port}`, stateOf };
}

interface Asked {
  readonly begun: number;
  readonly ended: number;
  readonly outcome: string;
}

/** Clients that search without a pause until they are stopped; every answer is noted. */
function startLoad(url: string) {
  const asked: Asked[] = [];
  let stopped = false;
  const client = async (): Promise<void> => {
    for (let n = 0; !stopped; n++) {
      const begun = Date.now();
      const outcome = await fetch(`${url}/api/v1/search?q=heron+${n % 40}`).then(
        async (response) => {
          const text = await response.text();
          return response.status === 200 ? `${(JSON.parse(text) as { total: number }).total} found` : text;
        },
        (error: Error) => error.message,
      );
      asked.push({ begun, ended: Date.now(), outcome });
      await after(10);
    }
  };
  const running = Array.from({ length: clients }, client);
  return {
    asked,
    stop: async () => {
      stopped = true;
      await Promise.all(running);
    },
  };
}

const isThere = spawnSync('haproxy', ['-v']).status === 0;
if (!isThere) process.stderr.write('\nSKIPPED: front ends behind HAProxy: haproxy is not installed.\n\n');

describe.skipIf(inject('jars') === undefined || !isThere)('front ends behind HAProxy', () => {
  test('are killed and started again under load, and no request fails but those in flight', async () => {
    const prefix = ownPrefix();
    const store = openPageStore(temporaryFolder());
    onTestFinished(store.close);
    const pages = Array.from({ length: 40 }, (_, n) => {
      return examplePage({
        url: `https://a.example/${n}`,
        title: `Heron ${n}`,
        body: `The heron by pond ${n}.`,
      });
    });
    await store.write((writer) => {
      for (const page of pages) writer.putPage(page);
    });
    await openFed(store, clusterNames(prefix)).settle();
    const ports = [await freePort(), await freePort()];
    const start = (port: number | undefined) =>
      startGleaner(['serve', '--port', String(port)], 'open', {
        GLEANER_INDEX: 'opensearch',
        OPENSEARCH_URL: inject('clusterUrls').join(','),
        OPENSEARCH_PREFIX: prefix,
        XDG_DATA_HOME: temporaryFolder(),
        GLEANER_SEARCH_LIMIT: 'off',
        // On a busy machine answers may take long.
        GLEANER_IN_FLIGHT_LIMIT: '64',
        GLEANER_TRUST_PROXY: '1',
      });
    const fronts = ports.map(start);
    const isReady = (port: number | undefined) => async () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ status }) => status,
        () => 0,
      );
    for (const port of ports) await expect.poll(isReady(port)).toBe(200);
    const { url, stateOf } = await startProxy(ports);
    await expect.poll(async () => (await fetch(`${url}/api/v1/search?q=heron`)).status).toBe(200);

    const load = startLoad(url);
    const kills: number[] = [];
    for (let round = 0; round < rounds * 2; round++) {
      const which = round % 2;
      const before = load.asked.length;
      await expect.poll(() => load.asked.length).toBeGreaterThan(before + 20);
      const signal = round < 2 ? 'SIGTERM' : 'SIGKILL';
      if (signal === 'SIGKILL') kills.push(Date.now());
      fronts[which]?.child.kill(signal);
      await fronts[which]?.finished;
      fronts[which] = start(ports[which]);
      await expect.poll(isReady(ports[which])).toBe(200);
      await expect.poll(() => stateOf(which)).toBe('UP');
    }
    await load.stop();
    const failed = load.asked.filter(({ outcome }) => outcome !== '1 found');
    const isInFlight = ({ begun, ended }: Asked) => kills.some((at) => begun <= at && at <= ended);
    process.stdout.write(`${load.asked.length} searches, ${failed.length} failed, ${kills.length} kills\n`);
    expect(failed.filter((each) => !isInFlight(each))).toEqual([]);
    expect(load.asked.length).toBeGreaterThan(20 * rounds);
  });
});
