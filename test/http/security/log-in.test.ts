import { describe, expect, test } from 'vitest';
import { createRateLimit } from '../../../src/http/rate-limit.ts';
import { createSessions, makeSessionSecret } from '../../../src/http/security/sessions.ts';
import { createAdmissionControl } from '../../../src/limits/admission.ts';
import { type ApiKeyRecord, createApiKeys, makeApiKey } from '../../../src/limits/api-keys.ts';
import { createClientIdentity } from '../../../src/limits/client-identity.ts';
import { noProxies } from '../../../src/limits/trusted-proxies.ts';
import { examplePage } from '../../pages.ts';
import { startGleaner } from '../../process.ts';
import { runHere } from '../../run-here.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { openEngine, routesOver } from '../rig.ts';

const rate = { perMinute: 600, burst: 200 };
const origin = 'http://localhost';
const asBrowser = { accept: 'text/html,application/xhtml+xml' };

async function openService({ access = 'keys' as 'public' | 'keys', secret = makeSessionSecret() } = {}) {
  const { engine } = await openEngine([examplePage({ url: 'https://a.example/owls', title: 'Owls' })]);
  const records = new Map<string, ApiKeyRecord>();
  const clock = { ms: Date.now() };
  const rateLimit = createRateLimit({
    control: createAdmissionControl({
      search: rate,
      content: rate,
      fallback: rate,
      inFlight: 4,
      maxInFlight: 64,
    }),
    clientIdentity: createClientIdentity({
      apiKeys: createApiKeys({ table: records }),
      trustedProxies: noProxies,
      proxyHeader: 'forwarded',
      access,
    }),
    sessions: createSessions(secret, () => clock.ms),
  });
  const { id, text: key, hash } = makeApiKey();
  const record = { name: 'team', hash, rate, createdAt: 0, expiresAt: null, revokedAt: null };
  records.set(id, record);
  const answer = async () => Response.json({});
  const routes = routesOver(engine, { rateLimit, access, mcp: { answer, origins: '*' } });
  const get = (path: string, headers: Record<string, string> = {}) =>
    routes.request(path, { headers: { ...asBrowser, ...headers } });
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = { origin }) =>
    routes.request(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { ...asBrowser, ...headers },
    });
  const logIn = async () => {
    const entered = await post('/login', { key });
    return entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  return { routes, get, post, key, logIn, clock, revoke: () => records.set(id, { ...record, revokedAt: 1 }) };
}

describe('a service of key holders, in a browser', () => {
  test.each(['/', '/search?q=owls', '/page/gs4174cgwmt7gvb20kfze5gx74'])(
    'shows a form at %s',
    async (path) => {
      const { get } = await openService();
      const asked = await get(path);
      expect([
        asked.status,
        asked.headers.get('www-authenticate'),
        asked.headers.get('cache-control'),
      ]).toEqual([401, 'Bearer realm="gleaner"', 'no-store']);
      const text = await asked.text();
      expect(text).toContain('<form method="post" action="/login"');
      expect(text).toContain(`name="to" value="${path}"`);
      expect(text).not.toContain('Owls');
    },
  );

  test('a key opens a session in a cookie that no script and no other site has, and leads back', async () => {
    const { get, post, key } = await openService();
    const entered = await post('/login', { key, to: '/search?q=owls' });
    expect([entered.status, entered.headers.get('location'), entered.headers.get('cache-control')]).toEqual([
      303,
      '/search?q=owls',
      'no-store',
    ]);
    const [set = ''] = entered.headers.getSetCookie();
    expect(set).toMatch(/^gleaner_session=[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(set).not.toContain(key);
    expect(Buffer.from(set.slice(16, set.indexOf(';')), 'base64url').toString('latin1')).not.toContain(
      key.slice(3),
    );
    const cookie = set.split(';')[0] ?? '';
    const found = await get('/search?q=owls', { cookie });
    expect([found.status, await found.text()]).toEqual([200, expect.stringContaining('Owls')]);
    expect(found.headers.get('cache-control')).toMatch(/^private/);
    expect(found.headers.get('vary')).toContain('Cookie');
    expect(found.headers.get('x-ratelimit-limit')).toBe('200');
    const other = await post('/login', { key }, { origin, 'x-forwarded-proto': 'https' });
    expect(other.headers.getSetCookie()[0]).toContain('Secure');
  });

  test.each(['//evil.example/', '/\\evil.example', 'https://evil.example/', '/\t/evil.example', ''])(
    'leads to no other site: %j',
    async (to) => {
      const { post, key } = await openService();
      expect((await post('/login', { key, to })).headers.get('location')).toBe('/');
    },
  );

  test('a wrong key is refused in words, and a form of another site before it is read', async () => {
    const { post, key } = await openService();
    for (const wrong of [makeApiKey().text, 'x', `${key}0`]) {
      const refused = await post('/login', { key: wrong });
      expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []]);
      expect(await refused.text()).toContain('This key is not known');
    }
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, {}]) {
      const refused = await post('/login', { key }, headers as Record<string, string>);
      expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
    }
  });

  test('a session ends by leaving, by its time, and with its key', async () => {
    const { get, post, logIn, clock, revoke } = await openService();
    const cookie = await logIn();
    const status = async () => (await get('/search?q=owls', { cookie })).status;
    expect(await status()).toBe(200);
    expect(await (await get('/login', { cookie })).text()).toContain('action="/logout"');
    const left = await post('/logout', {}, { origin, cookie });
    expect(left.headers.getSetCookie()[0]).toMatch(/^gleaner_session=; Max-Age=0/);
    expect((await post('/logout', {}, { origin: 'https://evil.example', cookie })).status).toBe(403);
    clock.ms += 12 * 3_600_000;
    expect(await status()).toBe(401);
    clock.ms -= 1000;
    expect(await status()).toBe(200);
    revoke();
    expect(await status()).toBe(401);
  });

  test('a cookie that was changed, or is of another service, opens nothing', async () => {
    const { get, logIn } = await openService();
    const cookie = await logIn();
    const other = await (await openService()).logIn();
    const last = cookie.at(-2) === 'A' ? 'B' : 'A';
    for (const wrong of [
      `${cookie.slice(0, -2)}${last}${cookie.at(-1)}`,
      other,
      'gleaner_session=',
      'gleaner_session=AAAA',
    ])
      expect([wrong, (await get('/search?q=owls', { cookie: wrong })).status]).toEqual([wrong, 401]);
  });

  test('a session is for looking alone: what is sent by POST needs the key itself', async () => {
    const { routes, logIn } = await openService();
    const cookie = await logIn();
    const sent = (path: string) =>
      routes.request(path, {
        method: 'POST',
        body: '{}',
        headers: { cookie, 'content-type': 'application/json' },
      });
    expect([(await sent('/mcp')).status, (await sent('/openwebui/search')).status]).toEqual([401, 401]);
  });

  test('programs are told in problem details, as before', async () => {
    const { get, routes } = await openService();
    for (const asked of [await get('/api/v1/search?q=owls'), await routes.request('/search?q=owls')])
      expect([asked.status, asked.headers.get('content-type')]).toEqual([
        401,
        expect.stringContaining('problem+json'),
      ]);
  });
});

test('a public service goes on for a session whose key was revoked', async () => {
  const { get, logIn, revoke } = await openService({ access: 'public' });
  const cookie = await logIn();
  revoke();
  const found = await get('/search?q=owls', { cookie });
  expect([found.status, found.headers.get('cache-control')]).toEqual([200, expect.stringMatching(/^public/)]);
});

test('a session that one worker began is known to all', async () => {
  const data = temporaryFolder();
  const key = (await runHere('keys', 'create', 'team', '--data', data)).stdout.trim();
  const more = { GLEANER_ACCESS: 'keys' };
  const service = startGleaner(['serve', '--port', '0', '--workers', '2', '--data', data], 'open', more);
  const [, url = ''] = await service.says(/listens on (\S+)/);
  await service.says(/in the index/);
  const headers = { ...asBrowser, origin: new URL(url).origin, connection: 'close' };
  const entered = await fetch(`${url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ key }),
    headers,
    redirect: 'manual',
  });
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const statuses = await Promise.all(
    Array.from(
      { length: 12 },
      async () => (await fetch(`${url}/`, { headers: { ...headers, cookie } })).status,
    ),
  );
  expect(statuses).toEqual(Array(12).fill(200));
  expect((await fetch(`${url}/`, { headers })).status).toBe(401);
});
