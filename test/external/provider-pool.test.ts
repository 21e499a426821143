import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type ProviderName, providerNames } from '../../src/external/provider-facts.ts';
import { createProviderPool } from '../../src/external/provider-pool.ts';
import type { ProviderState, SearchProvider } from '../../src/external/search-provider.ts';
import { silentLog } from '../../src/runtime.ts';
import { documented } from './documented.ts';
import { now, openProvider, request } from './provider-rig.ts';
import { type Behaviour, openService } from './service.ts';

/** Far longer than a loaded machine needs to do nothing. */
const patienceMs = 20_000;

interface RigOptions {
  readonly deadlineMs?: number;
  readonly log?: typeof silentLog;
}

/** Real providers, each over a service of its own, behind one pool whose clock stands still until it is moved. */
async function open(behaviours: Partial<Record<ProviderName, Behaviour>>, options: RigOptions = {}) {
  const { deadlineMs = patienceMs, log = silentLog } = options;
  const clock = { ms: now };
  const names = Object.keys(behaviours) as ProviderName[];
  const services = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await openService(behaviours[name] ?? {})])),
  );
  const providers = names.map((name) => openProvider(name, services[name].origin, { key: 'a-key' }));
  const seen: [string, ProviderState['kind']][] = [];
  const pool = createProviderPool({
    providers,
    deadlineMs,
    log,
    now: () => clock.ms,
    observe: (provider, state) => seen.push([provider, state.kind]),
  });
  onTestFinished(() => pool.close());
  const stateOf = async (name: ProviderName): Promise<ProviderState | undefined> => {
    const { states } = await pool.searchAll(request('tokio'));
    return states.find(({ provider }) => provider === name)?.state;
  };
  return { pool, services, clock, seen, stateOf };
}

const good = (name: ProviderName): Behaviour => ({ body: documented[name].answer });
const silent: Behaviour = () => null;

test('all are asked, and each one says how it went', async () => {
  const { pool, seen } = await open({
    searxng: good('searxng'),
    brave: { status: 500 },
    mwmbl: { body: [] },
    hackernews: good('hackernews'),
  });
  const { answers, states } = await pool.searchAll(request('tokio', { lang: 'de' }));
  expect(answers.map(({ provider }) => provider)).toEqual(['searxng']);
  expect(states).toMatchObject([
    { provider: 'searxng', state: { kind: 'ok' } },
    { provider: 'brave', state: { kind: 'failed', why: 'unavailable' } },
    { provider: 'mwmbl', state: { kind: 'empty' } },
    { provider: 'hackernews', state: { kind: 'unfit', message: 'it is in English' } },
  ]);
  expect(seen.sort()).toEqual([
    ['brave', 'failed'],
    ['mwmbl', 'empty'],
    ['searxng', 'ok'],
  ]);
});

test('the deadline ends the wait for who does not answer, closes the connection and keeps the other answers', async () => {
  const { pool, services } = await open(
    {
      searxng: good('searxng'),
      brave: silent,
      serper: (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"organic": [');
        return null;
      },
    },
    { deadlineMs: 2000 },
  );
  const { answers, states } = await pool.searchAll(request('tokio'));
  expect(answers.map(({ provider }) => provider)).toEqual(['searxng']);
  expect(states.slice(1)).toMatchObject([
    { state: { kind: 'failed', why: 'timeout', message: 'Brave Search did not answer within 2000 ms' } },
    { state: { kind: 'failed', why: 'timeout' } },
  ]);
  await expect.poll(() => services.brave.givenUp()).toBe(1);
  await expect.poll(() => services.serper.givenUp()).toBe(1);
});

test('a provider that ignores its signal or throws anything costs only its own results', async () => {
  const template = openProvider('mwmbl', 'http://127.0.0.1:1');
  const odd = (name: string, parts: Partial<SearchProvider>): SearchProvider => ({
    ...template,
    name,
    ...parts,
  });
  const pool = createProviderPool({
    providers: [
      odd('deaf', { search: () => new Promise(() => {}) }),
      odd('broken', { search: () => Promise.reject(new Error('k3y in a message')) }),
      odd('throwing', {
        search: () => {
          throw new TypeError('k3y');
        },
      }),
      odd('lost', {
        unfit: () => {
          throw new RangeError('k3y');
        },
      }),
    ],
    deadlineMs: 300,
    log: silentLog,
    now: () => now,
  });
  const { answers, states } = await pool.searchAll(request('tokio'));
  expect(answers).toEqual([]);
  expect(states.map(({ state }) => ('why' in state ? state.why : state.kind))).toEqual([
    'timeout',
    'malformed',
    'malformed',
    'malformed',
  ]);
  expect(JSON.stringify(states)).not.toContain('k3y');
  await pool.close();
});

test('whoever gives up is let go at once, every connection is closed, and it counts as no failure', async () => {
  const { pool, services, seen, stateOf } = await open({ brave: silent, searxng: silent });
  for (let i = 0; i < 6; i++) {
    const stop = new AbortController();
    const answer = pool.searchAll(request('tokio'), { signal: stop.signal });
    await expect.poll(() => services.brave.asked.length + services.searxng.asked.length).toBe(2 * (i + 1));
    stop.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
  }
  await expect.poll(() => services.brave.givenUp() + services.searxng.givenUp()).toBe(12);
  expect(seen).toEqual([]);
  services.brave.behave(good('brave'));
  services.searxng.behave(good('searxng'));
  expect(await stateOf('brave')).toMatchObject({ kind: 'ok' });
  const aborted = AbortSignal.abort(new Error('never began'));
  await expect(pool.searchAll(request('tokio'), { signal: aborted })).rejects.toThrow('never began');
});

test('closing ends what is under way', async () => {
  const { pool, services } = await open({ brave: silent });
  const answer = pool.searchAll(request('tokio'));
  await expect.poll(() => services.brave.asked.length).toBe(1);
  await pool.close();
  expect((await answer).answers).toEqual([]);
  await expect.poll(() => services.brave.givenUp()).toBe(1);
});

test('one that keeps failing is left alone, and a single question finds out when it is back', async () => {
  const { services, clock, stateOf, pool } = await open({ searxng: { status: 500 } });
  for (let i = 0; i < 4; i++) expect(await stateOf('searxng')).toMatchObject({ kind: 'failed' });
  expect(await stateOf('searxng')).toMatchObject({ kind: 'resting', why: 'failures', retryAfterSeconds: 15 });
  expect(services.searxng.asked).toHaveLength(4);
  clock.ms += 15_000;
  services.searxng.behave(good('searxng'));
  const both = await Promise.all([pool.searchAll(request('tokio')), pool.searchAll(request('tokio'))]);
  expect(both.map(({ states }) => states[0]?.state.kind)).toEqual(['ok', 'resting']);
  expect(services.searxng.asked).toHaveLength(5);
  expect(await stateOf('searxng')).toMatchObject({ kind: 'ok' });
});

test('Retry-After is honoured to the second, and being asked too often is no sign of being broken', async () => {
  const { services, clock, stateOf } = await open({
    brave: { status: 429, headers: { 'retry-after': '90' } },
  });
  expect(await stateOf('brave')).toMatchObject({ kind: 'failed', why: 'limited', retryAfterSeconds: 90 });
  clock.ms += 89_000;
  expect(await stateOf('brave')).toMatchObject({ kind: 'resting', why: 'asked for a pause' });
  expect(services.brave.asked).toHaveLength(1);
  clock.ms += 1000;
  services.brave.behave(good('brave'));
  expect(await stateOf('brave')).toMatchObject({ kind: 'ok' });
});

test('a quota that is used up is honoured before it becomes a failure', async () => {
  const { services, clock, stateOf, pool } = await open({
    brave: {
      headers: {
        'x-ratelimit-limit': '1, 15000',
        'x-ratelimit-remaining': '0, 14523',
        'x-ratelimit-reset': '3, 1419704',
      },
      body: documented.brave.answer,
    },
  });
  const { answers } = await pool.searchAll(request('tokio'));
  expect(answers[0]?.answer.quota).toEqual({ remaining: 0, limit: 1, resetSeconds: 3 });
  expect(await stateOf('brave')).toMatchObject({ kind: 'resting', retryAfterSeconds: 3 });
  clock.ms += 3000;
  expect(await stateOf('brave')).toMatchObject({ kind: 'ok' });
  expect(services.brave.asked).toHaveLength(2);
});

test('the backoff of Stack Exchange is waited for', async () => {
  const body = { ...(documented.stackexchange.answer as object), backoff: 10 };
  const { clock, stateOf } = await open({ stackexchange: { body } });
  expect(await stateOf('stackexchange')).toMatchObject({ kind: 'ok' });
  clock.ms += 9000;
  expect(await stateOf('stackexchange')).toMatchObject({ kind: 'resting', retryAfterSeconds: 1 });
  clock.ms += 1000;
  expect(await stateOf('stackexchange')).toMatchObject({ kind: 'ok' });
});

test('a key that is not accepted is not tried again and again', async () => {
  const { services, stateOf } = await open({ kagi: { status: 401 } });
  expect(await stateOf('kagi')).toMatchObject({
    kind: 'failed',
    why: 'unauthorized',
    message: 'Kagi did not accept the key (401): check GLEANER_KAGI_KEY',
  });
  expect(await stateOf('kagi')).toMatchObject({ kind: 'resting', retryAfterSeconds: 300 });
  expect(services.kagi.asked).toHaveLength(1);
});

test('our own rate holds: what comes too soon is not asked, and nobody waits for it', async () => {
  const { services, pool } = await open({ marginalia: good('marginalia') }, { deadlineMs: 4000 });
  const { burst } = pool.providers[0]?.rate ?? { burst: 0 };
  const kinds: string[] = [];
  for (let i = 0; i <= burst; i++) {
    const { states } = await pool.searchAll(request('tokio'));
    kinds.push(states[0]?.state.kind ?? '');
  }
  expect(kinds).toEqual([...Array(burst).fill('ok'), 'resting']);
  expect(services.marginalia.asked).toHaveLength(burst);
});

test('many questions at once leave no more open than the provider allows', async () => {
  let openNow = 0;
  let most = 0;
  const { pool } = await open({
    searxng: (_, response) => {
      most = Math.max(most, ++openNow);
      void wait(20).then(() => {
        openNow--;
        response.end(JSON.stringify(documented.searxng.answer));
      });
      return null;
    },
  });
  await Promise.all(Array.from({ length: 10 }, () => pool.searchAll(request('tokio'))));
  expect(most).toBe(pool.providers[0]?.rate.concurrency);
});

test('many providers and many questions at once bring no warning of Node', async () => {
  const warnings: string[] = [];
  const hear = ({ message }: Error) => warnings.push(message);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));
  const behaviours = Object.fromEntries(providerNames.map((name) => [name, good(name)]));
  const { pool } = await open(behaviours, { deadlineMs: 1500 });
  await Promise.all(Array.from({ length: 12 }, () => pool.searchAll(request('tokio'))));
  await wait(10);
  expect(warnings).toEqual([]);
});
