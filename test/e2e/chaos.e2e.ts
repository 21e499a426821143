import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { SearchParams } from '../../src/contract/search.ts';
import type { SearchAnswer } from '../../src/engine/engine.ts';
import { openProviderPool } from '../../src/external/create-providers.ts';
import { type ProviderName, providerNames } from '../../src/external/provider-facts.ts';
import { silentLog } from '../../src/runtime.ts';
import { examplePage } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const deadlineMs = 1000;
/** What the answer may take beyond the deadline. */
const graceMs = 1000;

let ports: Readonly<Record<string, number>>;
let end = () => {};

beforeAll(async () => {
  const script = fileURLToPath(new URL('chaos-services.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  end = () => void child.kill('SIGKILL');
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  ports = JSON.parse(line);
});
afterAll(() => end());

const addressOf = (trouble: string): string => `http://127.0.0.1:${ports[trouble]}/`;
const local = ['one', 'two', 'three'].map((name) =>
  examplePage({
    url: `https://local.example/${name}`,
    title: `Heron ${name}`,
    body: `A heron, number ${name}.`,
  }),
);

/** An engine with three pages of its own that asks the given services, by the troubles that they have. */
async function engineAsking(services: Readonly<Partial<Record<ProviderName, string>>>) {
  const names = Object.keys(services) as ProviderName[];
  const keys = ['BRAVE', 'KAGI', 'SERPER', 'EXA', 'MOJEEK'].map((name) => [`GLEANER_${name}_KEY`, 'a-key']);
  const urls = ['PEER', 'SEARXNG', 'MEDIAWIKI'].map((name) => [`GLEANER_${name}_URL`, addressOf('absent')]);
  const config = readConfig({
    GLEANER_EXTERNAL: names.join(','),
    GLEANER_EXTERNAL_DEADLINE_MS: String(deadlineMs),
    ...Object.fromEntries([...keys, ...urls]),
  });
  const baseUrls = Object.fromEntries(names.map((name) => [name, addressOf(services[name] ?? 'absent')]));
  const app = openApp({
    config: { dataFolder: temporaryFolder() },
    log: silentLog,
    openPool: async () =>
      openProviderPool({ config: config.external, userAgent: 'Gleaner/0 (+test)', log: silentLog, baseUrls }),
  });
  onTestFinished(() => app.close());
  for (const page of local) await app.pageWriter.put(page);

  /** Searches, and tells by how much the answer came after a timer of the deadline's length that began with it. */
  const search = async (q: string): Promise<SearchAnswer & { overrunMs: number }> => {
    const timer = new Promise<number>((resolve) => setTimeout(() => resolve(performance.now()), deadlineMs));
    const answer = await app.engine.search(SearchParams.parse({ q }));
    const answeredAt = performance.now();
    // A machine that is too busy to fire a timer in time delays both.
    return { ...answer, overrunMs: answeredAt - (await timer) };
  };
  return search;
}

function expectLocalResults({
  results,
  overrunMs,
}: Awaited<ReturnType<Awaited<ReturnType<typeof engineAsking>>>>) {
  expect(
    results
      .filter(({ source }) => source === 'local')
      .map(({ url }) => url)
      .sort(),
  ).toEqual(local.map(({ url }) => url).sort());
  expect(results.slice(0, 3).every(({ source }) => source === 'local')).toBe(true);
  expect(overrunMs).toBeLessThan(graceMs);
}

test.each([
  'silent',
  'stalled',
  'dripping',
  'huge',
  'bomb',
  'resetting',
  'cut',
  'html',
  'deep',
  'looping',
  'busy',
  'broken',
  'garbage',
  'absent',
])('a %s service costs its results, never the local ones nor the deadline', async (trouble) => {
  const search = await engineAsking({ searxng: trouble });
  for (let round = 0; round < 3; round++) {
    const queries = Array.from({ length: 4 }, (_, at) => `heron -x${round}y${at}`);
    for (const answer of await Promise.all(queries.map(search))) {
      expectLocalResults(answer);
      expect(answer.external.state).toBe('failed');
      expect(answer.total).toBe(3);
    }
  }
});

test('a lying service gets nothing past the query, and a bounded number of results', async () => {
  const search = await engineAsking({ searxng: 'lying' });
  const answer = await search('heron');
  expectLocalResults(answer);
  expect(answer.total).toBeLessThanOrEqual(3 + 20);
  for (const { url, title, snippet } of answer.results) {
    expect(url).toMatch(/^https:/);
    expect(title.length + snippet.length).toBeLessThan(1000);
  }
  const local = await search('heron site:local.example');
  expectLocalResults(local);
  expect(local.total).toBe(3);
});

test('all services at once, each with a trouble of its own: the honest ones are heard every time', async () => {
  const troubles = ['silent', 'huge', 'flapping', 'dripping', 'resetting', 'bomb', 'cut', 'garbage', 'busy'];
  const others = providerNames.filter((name) => name !== 'searxng');
  const services = Object.fromEntries(others.map((name, at) => [name, troubles[at % troubles.length]]));
  const search = await engineAsking({ ...services, searxng: 'honest' });
  const overruns: number[] = [];
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all([0, 1, 2].map((at) => search(`heron -x${round}y${at}`)));
    for (const answer of answers) {
      expectLocalResults(answer);
      expect(answer.external.state).toBe('partial');
      expect(answer.results.some(({ url }) => url.startsWith('https://honest.example/'))).toBe(true);
      overruns.push(answer.overrunMs);
    }
  }
  const worst = Math.max(...overruns);
  console.log(
    `${overruns.length} searches, the slowest ${Math.round(deadlineMs + worst)} ms of ${deadlineMs} ms`,
  );
});
