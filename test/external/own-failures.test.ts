import { expect, test } from 'vitest';
import type { ProviderName } from '../../src/external/provider-facts.ts';
import type { FailureKind } from '../../src/external/search-provider.ts';
import { never, openProvider, request } from './provider-rig.ts';
import { openService, type Reply } from './service.ts';

const key = 'k3y-that-nobody-may-see';
const mojeek = (status: string): Reply => ({ body: { response: { status } } });
const stackExchange = (error_id: number, error_message = key): Reply => ({
  status: 400,
  body: { error_id, error_name: 'x', error_message },
});

test.each<[ProviderName, string, Reply, FailureKind, string, number | undefined]>([
  ['searxng', 'without JSON', { status: 403 }, 'forbidden', 'add json to search.formats', undefined],
  [
    'brave',
    'an invalid key',
    { status: 422, body: { error: key } },
    'unauthorized',
    'GLEANER_BRAVE_KEY',
    undefined,
  ],
  ['tavily', 'a plan used up', { status: 432, body: {} }, 'limited', 'plan', undefined],
  ['tavily', 'pay as you go used up', { status: 433, body: {} }, 'limited', 'plan', undefined],
  [
    'tavily',
    'keyless used up',
    { status: 429, body: { error: { code: 'x', message: key, window: 'day', retry_after_seconds: 3600 } } },
    'limited',
    'too often',
    3600,
  ],
  ['exa', 'no credits', { status: 402, body: {} }, 'forbidden', 'plan of GLEANER_EXA_KEY', undefined],
  ['mojeek', 'a limit in the body', mojeek('ERROR: Daily Limit Reached'), 'limited', 'limit', undefined],
  [
    'mojeek',
    'a key in the body',
    mojeek(`ERROR: Invalid API Key ${key}`),
    'unauthorized',
    'GLEANER_MOJEEK_KEY',
    undefined,
  ],
  ['mojeek', 'another error in the body', mojeek('ERROR: x'), 'unavailable', 'error', undefined],
  [
    'serper',
    'an unknown key',
    { status: 403, body: { message: 'Unauthorized.' } },
    'unauthorized',
    'GLEANER_SERPER_KEY',
    undefined,
  ],
  [
    'serper',
    'no credits',
    { status: 400, body: { message: 'Not enough credits' } },
    'limited',
    'credits',
    undefined,
  ],
  ['marginalia', 'no key', { status: 400, body: '' }, 'unauthorized', 'GLEANER_MARGINALIA_KEY', undefined],
  ['marginalia', 'the shared key used up', { status: 503, body: '' }, 'limited', 'too often', undefined],
  [
    'stackexchange',
    'a throttle',
    stackExchange(502, 'too many requests from this IP, more requests available in 83 seconds'),
    'limited',
    'too often',
    83,
  ],
  [
    'stackexchange',
    'a wrong key',
    stackExchange(405),
    'unauthorized',
    'GLEANER_STACKEXCHANGE_KEY',
    undefined,
  ],
  ['stackexchange', 'trouble', stackExchange(503), 'unavailable', 'not available', undefined],
  ['stackexchange', 'a bad parameter', stackExchange(400), 'malformed', 'did not understand', undefined],
  [
    'gleaner',
    'a busy instance',
    { status: 503, headers: { 'retry-after': '2' }, body: {} },
    'unavailable',
    'not available',
    2,
  ],
])('%s says %s in its own way, and is understood', async (name, _, reply, kind, words, seconds) => {
  const service = await openService(reply);
  const provider = openProvider(name, service.origin, { key });
  const error = await provider.search(request('tokio'), never).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'ProviderError', kind, message: expect.stringContaining(words) });
  expect((error as { retryAfterSeconds?: number }).retryAfterSeconds).toBe(seconds);
  expect((error as Error).message).not.toContain(key);
});

test('Tavily is asked in its keyless mode without a key, and says how to get on when that does not do', async () => {
  const service = await openService({ status: 401, body: {} });
  const provider = openProvider('tavily', service.origin);
  await expect(provider.search(request('tokio'), never)).rejects.toThrow(/set GLEANER_TAVILY_KEY/);
  expect(service.asked[0]?.headers).toMatchObject({ 'x-tavily-access-mode': 'keyless' });
  expect(service.asked[0]?.headers.authorization).toBeUndefined();
});

test('Gleaner says through how many instances a question came, and does not pass one on', async () => {
  const service = await openService({ body: { total: 0, results: [] } });
  const provider = openProvider('gleaner', service.origin);
  await provider.search(request('tokio'), never);
  expect(service.asked[0]?.headers['gleaner-hops']).toBe('1');
  expect(provider.unfit(request('tokio', { hops: 1 }))).toMatch(/another instance/);
});

test('SearXNG may be another Gleaner: a question says through how many it came, and goes no further than two', async () => {
  const service = await openService({ body: { results: [] } });
  const provider = openProvider('searxng', service.origin);
  await provider.search(request('tokio', { hops: 1 }), never);
  expect(service.asked[0]?.headers['gleaner-hops']).toBe('2');
  expect(provider.unfit(request('tokio', { hops: 1 }))).toBeUndefined();
  expect(provider.unfit(request('tokio', { hops: 2 }))).toMatch(/two instances/);
});

test('an address with user and password is asked with both, and never repeats them', async () => {
  const service = await openService({ body: { results: [] } });
  const provider = openProvider('searxng', service.origin.replace('//', '//reader:p%40ss@'));
  await provider.search(request('tokio'), never);
  const basic = `Basic ${Buffer.from('reader:p@ss').toString('base64')}`;
  expect(service.asked[0]?.headers.authorization).toBe(basic);
});
