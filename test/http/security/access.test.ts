import { generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import { createRateLimit } from '../../../src/http/rate-limit.ts';
import { createAccessTokens } from '../../../src/http/security/access-tokens.ts';
import { metadataUrl } from '../../../src/http/security/protected-resource.ts';
import { createAdmissionControl } from '../../../src/limits/admission.ts';
import { type ApiKeyRecord, createApiKeys, makeApiKey } from '../../../src/limits/api-keys.ts';
import { createClientIdentity } from '../../../src/limits/client-identity.ts';
import { noProxies } from '../../../src/limits/trusted-proxies.ts';
import { examplePage } from '../../pages.ts';
import { openEngine, routesOver } from '../rig.ts';
import { openAuthorisationServer } from './authorisation-server.ts';

const resource = 'https://search.example.com';
const rate = { perMinute: 600, burst: 200 };

/** A service of key holders over one page, with the tokens of an authorisation server. */
async function openService({
  issuer,
  access = 'keys' as const,
}: {
  issuer?: string;
  access?: 'public' | 'keys';
} = {}) {
  const { engine } = await openEngine([examplePage({ url: 'https://a.example/owls', title: 'Owls' })]);
  const records = new Map<string, ApiKeyRecord>();
  const oauth = issuer === undefined ? undefined : { issuer, resource, scope: 'gleaner', rate };
  const limits = { search: rate, content: rate, fallback: rate, inFlight: 4, maxInFlight: 64 } as const;
  const rateLimit = createRateLimit({
    control: createAdmissionControl(limits),
    clientIdentity: createClientIdentity({
      apiKeys: createApiKeys({ table: records }),
      trustedProxies: noProxies,
      proxyHeader: 'forwarded',
      access,
      verifyToken: oauth && createAccessTokens(oauth),
    }),
    challenge: oauth && { metadataUrl: metadataUrl(resource), scope: 'gleaner' },
  });
  const { id, text: key, hash } = makeApiKey();
  records.set(id, { name: 'team', hash, rate, createdAt: 0, expiresAt: null, revokedAt: null });
  const answer = async (request: Request) => Response.json({ answered: new URL(request.url).pathname });
  const routes = routesOver(engine, {
    rateLimit,
    access,
    protectedResource: oauth,
    mcp: { answer, connector: answer, origins: '*' },
  });
  const get = (path: string, authorization?: string) =>
    routes.request(path, authorization === undefined ? {} : { headers: { authorization } });
  return { routes, get, key };
}

const search = '/api/v1/search?q=owls';

describe('a service of key holders', () => {
  test.each([
    search,
    '/api/v1/content/gs4174cgwmt7gvb20kfze5gx74',
    '/api/v1/status',
    '/api/v2/anything',
    '/',
    '/search?q=owls',
    '/search?q=owls&format=json',
    '/suggest?q=ow',
    '/page/gs4174cgwmt7gvb20kfze5gx74',
    '/DOCS/../search?q=owls',
    '/docsx',
  ])('refuses %s without a key, and tells nothing', async (path) => {
    const { get } = await openService();
    const refused = await get(path);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="gleaner"',
    ]);
    expect(await refused.json()).toMatchObject({
      type: 'urn:gleaner:error:unauthorized',
      detail: expect.stringMatching(/^this service answers those who have a key, and none was sent: send/),
    });
  });

  test.each(['/mcp', '/mcp/connector', '/openwebui/search'])(
    'refuses POST %s without a key',
    async (path) => {
      const { routes, key } = await openService();
      const post = (headers: Record<string, string>) =>
        routes.request(path, { method: 'POST', body: '{"query":"owls"}', headers });
      const json = { 'content-type': 'application/json' };
      expect((await post(json)).status).toBe(401);
      expect((await post({ ...json, authorization: 'Bearer ' })).status).toBe(401);
      expect((await post({ ...json, authorization: `Bearer ${key}` })).status).toBe(200);
    },
  );

  test('answers with a key in either header, to no shared cache', async () => {
    const { get, routes, key } = await openService();
    for (const answer of [
      await get(search, `Bearer ${key}`),
      await routes.request(search, { headers: { 'x-api-key': key } }),
    ]) {
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, max-age=15']);
      expect(await answer.json()).toMatchObject({ total: 1 });
    }
    const unknown = await get(search, `Bearer ${makeApiKey().text}`);
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer realm="gleaner", error="invalid_token"');
  });

  test.each(['/healthz', '/readyz', '/docs', '/docs/api', '/openapi.json', '/llms.txt', '/robots.txt'])(
    'shows %s to all',
    async (path) => {
      const { get } = await openService();
      expect((await get(path)).status).toBe(200);
    },
  );

  test('lets a browser ask before it sends a key', async () => {
    const { routes } = await openService();
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
    const preflight = await routes.request('/api/v1/search', { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    const refused = await routes.request(search, { headers: { origin: 'https://app.example' } });
    expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
  });
});

describe('access tokens of a real authorisation server', () => {
  test('are found by the metadata of the resource, and taken as keys', async () => {
    const server = await openAuthorisationServer(resource);
    const { get, routes } = await openService({ issuer: server.issuer });
    const refused = await routes.request('/mcp', { method: 'POST', body: '{}' });
    const [, place = ''] =
      /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    expect(place).toBe('https://search.example.com/.well-known/oauth-protected-resource');
    for (const path of [new URL(place).pathname, `${new URL(place).pathname}/mcp`]) {
      expect(await (await get(path)).json()).toMatchObject({
        resource,
        authorization_servers: [server.issuer],
        scopes_supported: ['gleaner'],
        bearer_methods_supported: ['header'],
      });
    }
    const token = await server.grant('gleaner');
    const answers = [await get(search, `Bearer ${token}`), await get(search, `Bearer ${token}`)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    // Another token of the same holder draws on the same share.
    const again = await get(search, `Bearer ${await server.grant('gleaner other')}`);
    expect(again.headers.get('x-ratelimit-limit')).toBe('200');
    expect(Number(again.headers.get('x-ratelimit-remaining'))).toBeLessThan(199);
    // The server's keys are asked for once.
    expect(server.asked.filter((path) => path === '/jwks')).toEqual(['/jwks']);
  });

  test('with another scope, audience, issuer, time or signature are refused, each in words', async () => {
    const server = await openAuthorisationServer(resource);
    const { get } = await openService({ issuer: server.issuer });
    const exp = Math.floor(Date.now() / 1000) + 600;
    const good = { iss: server.issuer, aud: resource, sub: 'ada', scope: 'openid gleaner', exp };
    const { exp: _, ...endless } = good;
    const { sub: __, ...nameless } = good;
    const { privateKey: stranger } = await generateKeyPair('RS256');
    const [header = '', payload = ''] = (await server.sign(good)).split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.x`;
    const secret = new TextEncoder().encode('x'.repeat(64));
    const cases: [token: string, status: number, detail: RegExp][] = [
      [await server.sign(good), 200, /^$/],
      [await server.sign({ ...good, scope: undefined, scp: ['gleaner'] }), 200, /^$/],
      [await server.sign({ ...good, scope: 'gleaners' }), 403, /lacks the scope gleaner/],
      [await server.grant('other'), 403, /lacks the scope gleaner/],
      [await server.sign({ ...good, aud: 'https://other.example' }), 401, /of another audience/],
      [await server.grant('gleaner', 'https://other.example'), 401, /of another audience/],
      [await server.sign({ ...good, iss: 'https://evil.example' }), 401, /of another issuer/],
      [await server.sign({ ...good, exp: exp - 1200 }), 401, /has expired/],
      [await server.sign(endless), 401, /is not valid/],
      [await server.sign(nameless), 401, /names no holder/],
      [await server.sign({ ...good, nbf: exp }), 401, /is not valid/],
      [await server.sign(good, stranger), 401, /signature .* is not valid/],
      [await server.sign(good, secret, 'HS256'), 401, /signature .* is not valid/],
      [none, 401, /signature .* is not valid/],
      [`${header}.${payload}`, 401, /neither an API key nor an access token/],
      ['gl_not_a_key', 401, /this API key is not known/],
    ];
    for (const [token, status, detail] of cases) {
      const answer = await get(search, `Bearer ${token}`);
      const said = status === 200 ? '' : ((await answer.json()) as { detail: string }).detail;
      expect([answer.status, said]).toEqual([status, expect.stringMatching(detail)]);
      expect(said).not.toContain(token);
    }
    const scope = await get(search, `Bearer ${await server.grant('other')}`);
    expect(scope.headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope", scope="gleaner", resource_metadata=/,
    );
  });

  test('cannot be checked while their server is away: 503, and keys go on', async () => {
    const server = await openAuthorisationServer(resource);
    const token = await server.grant('gleaner');
    await server.close();
    const { get, key } = await openService({ issuer: server.issuer });
    const answer = await get(search, `Bearer ${token}`);
    expect([answer.status, await answer.json()]).toMatchObject([
      503,
      { detail: expect.stringMatching(/authorisation server .* cannot be reached/) },
    ]);
    expect((await get(search, `Bearer ${key}`)).status).toBe(200);
  });

  test('are taken by a public service, too, which answers without one', async () => {
    const server = await openAuthorisationServer(resource);
    const { get } = await openService({ issuer: server.issuer, access: 'public' });
    const answers = [await get(search), await get(search, `Bearer ${await server.grant('gleaner')}`)];
    expect(answers.map(({ headers, status }) => [status, headers.get('x-ratelimit-limit')])).toEqual([
      [200, null],
      [200, '200'],
    ]);
  });
});
