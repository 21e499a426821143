import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runGleaner, startGleaner } from '../../process.ts';
import { htmlPage, openSite } from '../../site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const own = ['--port', '0'];

/** A service with `/admin`, as somebody at this machine has it. */
async function serve(environment: Record<string, string> = {}) {
  const data = temporaryFolder();
  const service = startGleaner(['serve', '--data', data, ...own], 'open', {
    GLEANER_ADMIN: 'on',
    GLEANER_ALLOW_PRIVATE: '1',
    GLEANER_METRICS: 'private',
    ...environment,
  });
  const [, origin = ''] = await service.says(/listens on (\S+)/);
  const token = async () => (await service.says(/Manage: .*\?token=(\S+)/))[1] ?? '';
  const request = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, { redirect: 'manual', ...init });
  return { data, origin, service, request, token };
}

/** The same as a browser that has shown the token. */
async function enter(environment?: Record<string, string>) {
  const served = await serve(environment);
  const { origin, request, token } = served;
  const entered = await request(`/admin?token=${await token()}`);
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const page = async (path = '/admin') => (await request(path, { headers: { cookie } })).text();
  const post = (path: string, fields: Record<string, string> | FormData, from = origin) =>
    request(`/admin/${path}`, {
      method: 'POST',
      headers: { cookie, origin: from },
      body: fields instanceof FormData ? fields : new URLSearchParams(fields),
    });
  return { ...served, entered, cookie, page, post };
}

const manyPages = (count: number) =>
  Object.fromEntries(
    ['/', ...Array.from({ length: count }, (_, n) => `/${n}`)].map((path) => [
      path,
      htmlPage(`Page ${path}`, path === '/' ? Array.from({ length: count }, (_, n) => `/${n}`) : []),
    ]),
  );

test('without GLEANER_ADMIN there is nothing to manage, and no token', async () => {
  const { request, service } = await serve({ GLEANER_ADMIN: 'off' });
  await service.says(/Add pages/);
  expect((await request('/admin')).status).toBe(404);
  expect((await request('/admin/crawl', { method: 'POST' })).status).toBe(404);
  expect(service.stderr()).not.toContain('token');
});

test('only the token or a key of scope admin opens it, and a change needs the same origin', async () => {
  const { data, origin, request, token, entered, cookie, post } = await enter();
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/admin']);
  expect(entered.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Strict/);
  expect((await request('/admin')).status).toBe(401);
  expect((await request('/admin?token=wrong')).status).toBe(401);
  expect((await request('/admin/events')).status).toBe(401);
  const bearer = (key: string, more = {}) =>
    request('/admin', { headers: { authorization: `Bearer ${key}`, ...more } });
  expect((await bearer(await token())).status).toBe(200);

  const plain = (await runGleaner('keys', 'create', 'reader', '--data', data)).stdout.trim();
  const admin = (await runGleaner('keys', 'create', 'owner', '--admin', '--data', data)).stdout.trim();
  expect([(await bearer(plain)).status, (await bearer(admin)).status]).toEqual([401, 200]);
  await runGleaner('keys', 'revoke', 'owner', '--data', data);
  expect((await bearer(admin)).status).toBe(401);

  for (const from of ['https://evil.example', 'null', origin.replace(/\d+$/, '1')]) {
    expect((await post('recrawl', {}, from)).status).toBe(403);
  }
  const withoutOrigin = await request('/admin/recrawl', { method: 'POST', headers: { cookie } });
  expect(withoutOrigin.status).toBe(403);
  const other = await request('/admin', { headers: { cookie, origin: 'https://evil.example' } });
  expect(other.headers.get('access-control-allow-origin')).toBeNull();
  expect(other.headers.get('cache-control')).toBe('no-store');
});

test('a crawl is looked at, started, watched and stopped', async () => {
  const site = await openSite(manyPages(200), { fallback: () => ({ status: 404 }) });
  const { cookie, request, page, post } = await enter();
  const preview = await (await post('preview', { url: site.url('/'), max_pages: '150' })).text();
  for (const said of ['robots.txt: allowed', site.url('/9'), 'name="max_pages" value="150"'])
    expect(preview).toContain(said);
  expect((await post('crawl', { url: site.url('/'), max_pages: '150' })).status).toBe(303);

  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const events = await request('/admin/events', { headers: { cookie }, signal: stop.signal });
  expect(events.headers.get('content-type')).toBe('text/event-stream');
  let said = '';
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (!/"pages":[1-9]/.test(said)) said += (await reader?.read())?.value ?? '';

  const second = await post('recrawl', {});
  expect([second.status, await second.text()]).toEqual([503, expect.stringContaining('one task at a time')]);
  expect(await page()).toContain(`Crawl: ${site.url('/')}`);
  const status = (await (await request('/api/v1/status')).json()) as { crawls: object[] };
  expect(status.crawls).toMatchObject([{ is_running: true, pages: expect.any(Number) }]);

  expect((await post('stop', {})).status).toBe(303);
  await expect.poll(page, { timeout: 60_000 }).toContain('<td>stopped</td>');
  expect(await page()).toContain('No task runs');
});

test('a file is imported, found and removed, and wrong fields are said', async () => {
  const { origin, page, post } = await enter();
  const form = new FormData();
  form.set(
    'file',
    new File(['<title>Bittern</title><p>A bittern booms in the reeds.</p>'], '../bittern.html'),
  );
  form.set('base_url', 'https://birds.example/');
  expect((await post('import', form)).status).toBe(303);
  await expect.poll(page, { timeout: 60_000 }).toContain('<td>done</td>');
  const search = async () =>
    ((await (await fetch(`${origin}/api/v1/search?q=bittern`)).json()) as { results: { url: string }[] })
      .results;
  await expect
    .poll(search, { timeout: 30_000 })
    .toMatchObject([{ url: 'https://birds.example/bittern.html' }]);

  const target = 'https://birds.example/*';
  expect(await (await post('remove-preview', { target })).text()).toContain('Would remove 1 page');
  await post('remove', { target });
  await expect.poll(search, { timeout: 30_000 }).toEqual([]);

  const wrong = await post('crawl', { url: '--help', max_pages: '0' });
  expect(wrong.status).toBe(400);
  const words = await wrong.text();
  for (const field of ['url: must not begin with -', 'max_pages: must be a whole number'])
    expect(words).toContain(field);
});

test('rules for domains are edited, checked line by line, and hold at once', async () => {
  const file = join(temporaryFolder(), 'domains');
  writeFileSync(file, '# nothing yet\n');
  const { origin, page, post } = await enter({ GLEANER_DOMAINS: file });
  expect(await page()).toContain('# nothing yet');
  const search = async () =>
    ((await (await fetch(`${origin}/api/v1/search?q=gleaner`)).json()) as { total: number }).total;
  await expect.poll(search, { timeout: 30_000 }).toBeGreaterThan(0);

  const wrong = await post('rules', { rules: 'block 127.0.0.1\nhide it' });
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('line 2')]);
  expect(readFileSync(file, 'utf8')).toBe('# nothing yet\n');

  expect((await post('rules', { rules: 'block 127.0.0.1\r\n' })).status).toBe(200);
  expect(readFileSync(file, 'utf8')).toBe('block 127.0.0.1\n');
  await expect.poll(search, { timeout: 60_000, interval: 1000 }).toBe(0);
});

test('keys are made, shown once, and revoked', async () => {
  const { page, post } = await enter();
  const made = await (await post('keys', { name: 'reader', per_minute: '30' })).text();
  const key = /gl_[0-9a-f]{12}_[0-9a-f]{40}/.exec(made)?.[0] ?? '';
  expect(key).not.toBe('');
  const listed = await page();
  expect([listed.includes('reader'), listed.includes(key)]).toEqual([true, false]);
  expect(await (await post('keys/revoke', { id: 'reader' })).text()).toContain('Revoked the key of reader');
  const again = await post('keys', { name: 'a b' });
  expect([again.status, await again.text()]).toEqual([400, expect.stringContaining('letters, digits')]);
});

test('a service that ends stops what was started from it, and does not wait for who watches', async () => {
  const site = await openSite(manyPages(200));
  const { cookie, request, post, service } = await enter();
  await post('crawl', { url: site.url('/') });
  const events = await request('/admin/events', { headers: { cookie } });
  service.child.kill('SIGTERM');
  const { code, stderr } = await service.finished;
  await events.text().catch(() => {});
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('took too long')]);
});

test('several processes cannot manage', async () => {
  const { finished } = startGleaner(
    ['serve', '--workers', '2', '--data', temporaryFolder(), ...own],
    'open',
    {
      GLEANER_ADMIN: 'on',
    },
  );
  expect(await finished).toMatchObject({ code: 1, stderr: expect.stringContaining('leave GLEANER_WORKERS') });
});
