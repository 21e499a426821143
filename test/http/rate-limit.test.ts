import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { createRateLimit, type RefusalReason } from '../../src/http/rate-limit.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { listen } from '../../src/http/serve.ts';
import { type AdmissionControlOptions, createAdmissionControl } from '../../src/limits/admission.ts';
import { type ApiKeyRecord, createApiKeys, makeApiKey } from '../../src/limits/api-keys.ts';
import { createClientIdentity } from '../../src/limits/client-identity.ts';
import type { ForwardingHeader } from '../../src/limits/forwarded.ts';
import { noProxies, parseTrustedProxies } from '../../src/limits/trusted-proxies.ts';
import { silentLog } from '../../src/runtime.ts';
import { engineThat, heronAlmanac, openLibrary } from '../tools/library.ts';

let library: Awaited<ReturnType<typeof openLibrary>>;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

const clock = { ms: 0 };
beforeEach(() => {
  clock.ms = 1000;
});

interface Setup extends Partial<AdmissionControlOptions> {
  readonly trust?: string;
  readonly proxyHeader?: ForwardingHeader;
  readonly engine?: Engine;
}

/** The whole service on a port of its own, with a table of keys and a clock that only the test moves. */
async function open(setup: Setup = {}) {
  const { trust = '0', proxyHeader = 'x-forwarded-for', engine = library.engine, ...limits } = setup;
  const records = new Map<string, ApiKeyRecord>();
  const refusals: RefusalReason[] = [];
  const rateLimit = createRateLimit({
    control: createAdmissionControl({
      search: { perMinute: 60, burst: 3 },
      content: { perMinute: 60, burst: 5 },
      fallback: { perMinute: 60, burst: 2 },
      inFlight: 4,
      maxInFlight: 64,
      now: () => clock.ms,
      ...limits,
    }),
    clientIdentity: createClientIdentity({
      apiKeys: createApiKeys({ table: records }),
      trustedProxies: parseTrustedProxies(trust) ?? noProxies,
      proxyHeader,
    }),
    onRefused: (why) => refusals.push(why),
  });
  const readiness = () => ({ notReady: undefined, pages: 0, searchable: 0, providers: {} });
  const app = createRoutes({
    engine,
    log: silentLog,
    version: '1.2.3',
    docs: [],
    readiness,
    origins: '*',
    logQueries: false,
    rateLimit,
  });
  const { url, close } = await listen({ app, host: '127.0.0.1', port: 0, lingerMs: 20 });
  onTestFinished(close);
  const ask = (path = '/api/v1/search?q=heron', headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${url}${path}`, { headers, method });
  const statuses = async (count: number, headers: Record<string, string> = {}, path?: string) => {
    const seen: number[] = [];
    for (let asked = 0; asked < count; asked++) seen.push((await ask(path, headers)).status);
    return seen;
  };
  const issue = (fields: Partial<ApiKeyRecord> = {}): string => {
    const { id, text, hash } = makeApiKey();
    const rate = { perMinute: 60, burst: 4 };
    const made = { createdAt: 0, expiresAt: null, revokedAt: null };
    records.set(id, { name: 'team', hash, rate, ...made, ...fields });
    return text;
  };
  return { url, ask, statuses, issue, records, refusals };
}

const rateLimitHeaders = ({ headers }: Response) =>
  ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));

describe('the public tier', () => {
  test('gets its burst, then 429 that says when to come back, and no X-RateLimit headers', async () => {
    const { ask, statuses, refusals } = await open();
    expect(await statuses(3)).toEqual([200, 200, 200]);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(await refused.json()).toMatchObject({
      status: 429,
      retry_after_seconds: 1,
      detail: 'your address has used up its share of requests: try again in 1 second',
    });
    expect(rateLimitHeaders(refused)).toEqual([null, null, null]);
    expect(refusals).toEqual(['rate']);
    clock.ms += 1000;
    expect(await statuses(2)).toEqual([200, 429]);
  });

  test('is told with a 429 what it is told with every other answer', async () => {
    const { ask, statuses } = await open();
    await statuses(3);
    const { headers } = await ask();
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('is counted for searches and contents apart, and for bad requests too', async () => {
    const { statuses } = await open();
    expect(await statuses(4, {}, '/api/v1/search?limit=0')).toEqual([400, 400, 400, 429]);
    const path = `/api/v1/content/${heronAlmanac.id}`;
    expect(await statuses(6, {}, path)).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('is not counted for health, documentation, preflights and what is not there', async () => {
    const { ask, statuses } = await open();
    for (const path of ['/healthz', '/readyz', '/docs', '/api/v1/nothing'])
      expect(new Set(await statuses(10, {}, path)).size).toBe(1);
    for (let asked = 0; asked < 10; asked++) expect((await ask(undefined, {}, 'OPTIONS')).status).toBe(204);
    expect(await statuses(3)).toEqual([200, 200, 200]);
  });

  test('HEAD counts as GET does', async () => {
    const { ask, statuses } = await open();
    for (let asked = 0; asked < 3; asked++) await ask(undefined, {}, 'HEAD');
    expect(await statuses(1)).toEqual([429]);
  });
});

describe('spoofed headers never change the bucket', () => {
  const forged = (address: string): Record<string, string>[] => [
    { 'X-Forwarded-For': address },
    { Forwarded: `for=${address}` },
    { 'X-Real-IP': address },
    { 'True-Client-IP': address },
    { 'CF-Connecting-IP': address },
    { Via: '1.1 proxy', Client: address },
  ];

  test('of a client without a proxy', async () => {
    const { statuses } = await open();
    await statuses(3);
    for (const headers of forged('198.51.100.7')) expect(await statuses(1, headers)).toEqual([429]);
  });

  test('of a client behind a trusted proxy, which adds the address that it sees', async () => {
    const { statuses } = await open({ trust: '127.0.0.1' });
    await statuses(3, { 'X-Forwarded-For': '203.0.113.9' });
    for (let number = 0; number < 5; number++) {
      const sent = [`198.51.100.${number}, 203.0.113.9`, `127.0.0.1, 203.0.113.9`, `unknown, 203.0.113.9`];
      for (const header of sent) expect(await statuses(1, { 'X-Forwarded-For': header })).toEqual([429]);
      const other = { Forwarded: `for=198.51.100.${number}`, 'X-Forwarded-For': '203.0.113.9' };
      expect(await statuses(1, other)).toEqual([429]);
    }
    expect(await statuses(1, { 'X-Forwarded-For': '203.0.113.10' })).toEqual([200]);
  });

  test('of a client whose proxy speaks Forwarded', async () => {
    const { statuses } = await open({ trust: '1', proxyHeader: 'forwarded' });
    await statuses(3, { Forwarded: 'for="[2001:db8:1:2::1]:4711"' });
    const sent = {
      Forwarded: 'for=198.51.100.1, for="[2001:db8:1:2::99]"',
      'X-Forwarded-For': '198.51.100.2',
    };
    expect(await statuses(1, sent)).toEqual([429]);
    expect(await statuses(1, { Forwarded: 'for="[2001:db8:1:3::1]"' })).toEqual([200]);
  });
});

describe('a dedicated key', () => {
  test.each([
    ['Authorization: Bearer', (key: string) => ({ Authorization: `Bearer ${key}` })],
    ['authorization: bearer', (key: string) => ({ authorization: `bearer  ${key} ` })],
    ['X-API-Key', (key: string) => ({ 'X-API-Key': key })],
    ['both', (key: string) => ({ 'X-API-Key': key, Authorization: `Bearer ${key}` })],
  ])('in %s has a bucket of its own and is told what is left', async (_, headersOf) => {
    const { ask, statuses, issue } = await open();
    const headers = headersOf(issue());
    expect(rateLimitHeaders(await ask(undefined, headers))).toEqual(['4', '3', '1']);
    expect(await statuses(3, headers, `/api/v1/content/${heronAlmanac.id}`)).toEqual([200, 200, 200]);
    const refused = await ask(undefined, headers);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(rateLimitHeaders(refused)).toEqual(['4', '0', '4']);
    expect(await statuses(3)).toEqual([200, 200, 200]);
  });

  test('pays for a hundred results and for many alternatives as limits.md says, and is told so', async () => {
    const { ask, issue } = await open();
    const headers = { 'X-API-Key': issue({ rate: { perMinute: 60, burst: 10 } }) };
    const left = async (path: string) => rateLimitHeaders(await ask(path, headers));
    expect(await left('/api/v1/search?q=heron&limit=25')).toEqual(['10', '9', '1']);
    expect(await left('/api/v1/search?q=heron&limit=100')).toEqual(['10', '5', '5']);
    const anyOf = Array.from({ length: 9 }, (_, n) => `heron${n}`).join('+OR+');
    expect(await left(`/api/v1/search?q=${anyOf}`)).toEqual(['10', '3', '7']);
    const refused = await ask('/api/v1/search?q=heron&limit=100', headers);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(rateLimitHeaders(refused)).toEqual(['10', '3', '7']);
    expect((await ask('/api/v1/search?q=heron', headers)).status).toBe(200);
  });

  test('is told so on every response, errors too', async () => {
    const { ask, issue } = await open();
    const headers = { 'X-API-Key': issue({ rate: { perMinute: 60, burst: 100 } }) };
    const etag = (await ask(undefined, headers)).headers.get('etag') ?? '';
    const answers = [
      await ask('/api/v1/search?limit=0', headers),
      await ask('/api/v1/content/nothing', headers),
      await ask('/nothing', headers),
      await ask('/healthz', headers),
      await ask('/docs', headers),
      await ask(undefined, headers, 'POST'),
      await ask(undefined, headers, 'OPTIONS'),
      await ask(undefined, { ...headers, 'If-None-Match': etag }),
      await ask(`/api/v1/search?q=${'x'.repeat(40_000)}`, headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 404, 404, 200, 200, 405, 204, 304, 414]);
    for (const answer of answers)
      expect(rateLimitHeaders(answer)).toEqual(['100', expect.any(String), expect.any(String)]);
  });

  test('is told so when the service fails, or has too much to do', async () => {
    const broken = await open({ engine: engineThat(() => Promise.reject(new Error('no'))) });
    const failed = await broken.ask(undefined, { 'X-API-Key': broken.issue() });
    expect([failed.status, ...rateLimitHeaders(failed)]).toEqual([500, '4', '3', '1']);
    const full = await open({ maxInFlight: 0 });
    const turnedAway = await full.ask(undefined, { 'X-API-Key': full.issue() });
    expect([turnedAway.status, ...rateLimitHeaders(turnedAway)]).toEqual([503, '4', '4', '0']);
  });

  test('that is unknown, expired or revoked is 401 with WWW-Authenticate, whatever else is right', async () => {
    const { ask, issue, refusals } = await open();
    const wrong: [Record<string, string>, RegExp][] = [
      [{ Authorization: 'Bearer gl_x' }, /is not known/],
      [{ Authorization: 'Bearer' }, /is not known/],
      [{ 'X-API-Key': '' }, /is not known/],
      [{ 'X-API-Key': issue({ expiresAt: 1 }) }, /expired on 1970/],
      [{ 'X-API-Key': issue({ revokedAt: 1 }) }, /was revoked/],
      [{ 'X-API-Key': issue(), Authorization: `Bearer ${issue()}` }, /two different API keys/],
    ];
    for (const [headers, detail] of wrong) {
      const answer = await ask(undefined, headers);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="gleaner", error="invalid_token"');
      expect(rateLimitHeaders(answer)).toEqual([null, null, null]);
      expect(await answer.json()).toMatchObject({ status: 401, detail: expect.stringMatching(detail) });
    }
    expect(refusals).toEqual(Array(wrong.length).fill('unauthorized'));
  });

  test('that is unknown does not hide whether the service is alive', async () => {
    const { statuses } = await open();
    expect(await statuses(1, { Authorization: 'Bearer gl_x' }, '/healthz')).toEqual([200]);
  });

  test('is no other scheme, and is never read from the query string', async () => {
    const { ask, issue } = await open();
    const basic = await ask(undefined, { Authorization: 'Basic dXNlcjpwYXNz' });
    expect([basic.status, ...rateLimitHeaders(basic)]).toEqual([200, null, null, null]);
    const inQuery = await ask(`/api/v1/search?q=heron&api_key=${issue()}`);
    expect([inQuery.status, ...rateLimitHeaders(inQuery)]).toEqual([200, null, null, null]);
  });

  test('in Authorization without Bearer is 401 and says how to send it', async () => {
    const { ask, issue } = await open();
    const key = issue();
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const wrong = [key, 'gl_typo', `Token ${key}`, `ApiKey gl_x`, `Token token="${key}"`];
    for (const authorization of [...wrong, basic(`${key}:`), basic(`x:${key}`)]) {
      const answer = await ask(undefined, { Authorization: authorization });
      expect([authorization, answer.status]).toEqual([authorization, 401]);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
      const { detail } = (await answer.json()) as { detail: string };
      expect(detail).toMatch(/send it as "Authorization: Bearer gl_\.\.\." or as "X-API-Key: gl_\.\.\."$/);
    }
  });

  test('is none in what other schemes hold, and counts beside them', async () => {
    const { ask, issue } = await open();
    const others = ['Basic dXNlcjpnbF94', 'Digest username="gleaner"', 'Negotiate Z2xfeA==', 'Token x'];
    for (const authorization of others) {
      const answer = await ask('/api/v1/content/x', { Authorization: authorization });
      expect([authorization, answer.status]).toEqual([authorization, 404]);
    }
    const key = issue();
    const beside = await ask(undefined, { Authorization: `Token ${key}`, 'X-API-Key': key });
    expect([beside.status, ...rateLimitHeaders(beside)]).toEqual([200, '4', '3', '1']);
  });

  test('counts at once when it is made and no more when it is revoked', async () => {
    const { statuses, issue, records } = await open();
    const headers = { 'X-API-Key': issue() };
    expect(await statuses(1, headers)).toEqual([200]);
    for (const [id, record] of records) records.set(id, { ...record, revokedAt: 5 });
    expect(await statuses(1, headers)).toEqual([401]);
  });
});

describe('what is in flight', () => {
  /** An engine whose answers wait until they are let go, and that tells how many do. */
  function waitingEngine() {
    let letGo = () => {};
    let arrived = 0;
    const gate = new Promise<never>((_, reject) => {
      letGo = () => reject(new Error('let go'));
    });
    gate.catch(() => {});
    const engine = engineThat(() => {
      arrived += 1;
      return gate;
    });
    return {
      engine,
      letGo: () => letGo(),
      hasArrived: (count: number) => expect.poll(() => arrived).toBe(count),
    };
  }

  test('is four for each client; more is 429 at once', async () => {
    const { engine, letGo, hasArrived } = waitingEngine();
    const { ask } = await open({ engine, search: 'off' });
    const answers = Array.from({ length: 4 }, () => ask());
    await hasArrived(4);
    const fifth = await ask();
    expect([fifth.status, fifth.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await fifth.json()).toMatchObject({ detail: expect.stringContaining('under way') });
    letGo();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([500, 500, 500, 500]);
    expect((await ask()).status).toBe(500);
  });

  test('is so much for all together; more is 503 with Retry-After at once', async () => {
    const { engine, letGo } = waitingEngine();
    const { ask, refusals } = await open({ engine, trust: '1', maxInFlight: 2 });
    const answers = [1, 2, 3].map((number) => ask(undefined, { 'X-Forwarded-For': `192.0.2.${number}` }));
    const turnedAway = await Promise.race(answers);
    expect([turnedAway.status, turnedAway.headers.get('retry-after')]).toEqual([503, '2']);
    expect(refusals).toEqual(['overloaded']);
    letGo();
    await Promise.all(answers);
  });

  test('is given back by a client that goes away', async () => {
    let arrived = 0;
    const engine = engineThat((signal) => {
      arrived += 1;
      if (arrived > 1) return Promise.reject(new Error('no'));
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    const { url, ask } = await open({ engine, search: 'off', inFlight: 1 });
    const leaving = new AbortController();
    const left = fetch(`${url}/api/v1/search?q=heron`, { signal: leaving.signal }).catch(() => {});
    await expect.poll(() => arrived).toBe(1);
    expect((await ask()).status).toBe(429);
    leaving.abort();
    await left;
    await expect.poll(async () => (await ask()).status).toBe(500);
  });
});

test('past its budget for asking others a client gets local answers, still with 200', async () => {
  const asked: boolean[] = [];
  const engine: Engine = {
    ...library.engine,
    search: async (params, options) => {
      asked.push((await options?.mayAskExternal?.()) ?? true);
      return library.engine.search(params, options);
    },
  };
  const { statuses } = await open({ engine });
  expect(await statuses(3)).toEqual([200, 200, 200]);
  expect(asked).toEqual([true, true, false]);
});
