import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { runGleaner, startGleaner } from '../process.ts';
import { runHere } from '../run-here.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const keys = (...args: string[]) => runGleaner('keys', ...args);

/** Another process that writes pages without pause, and so has the writer's place. */
async function startWriter(data: string): Promise<void> {
  const file = fileURLToPath(new URL('../store/writer-process.mjs', import.meta.url));
  const writer = spawn(process.execPath, [file, data], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void writer.kill('SIGKILL'));
  await once(writer.stdout, 'data');
  writer.stdout.resume();
}

test('a key made, and then revoked, while a service runs and a crawl writes counts at once', async () => {
  const data = temporaryFolder();
  const service = startGleaner(['serve', '--port', '0', '--data', data]);
  const [, url = ''] = await service.says(/listens on (\S+)/);
  await service.says(/in the index/);
  await startWriter(data);
  const ask = (key: string) => fetch(`${url}/api/v1/search?q=nowhere`, { headers: { 'X-API-Key': key } });

  const made = await keys('create', 'team', '--per-minute', '90', '--data', data);
  expect(made.stdout).toMatch(/^gl_[0-9a-f_]{53}\n$/);
  expect(made.stderr).toContain('90 requests a minute, 30 at once');
  const key = made.stdout.trim();
  const answer = await ask(key);
  expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, '30']);

  expect((await keys('revoke', 'team', '--data', data)).stdout).toBe('Revoked the key of team.\n');
  const refused = await ask(key);
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringMatching(/^Bearer/),
  ]);
});

test('the list says how each key stands, and never a key', async () => {
  const data = temporaryFolder();
  const first = (await keys('create', 'first', '--expires', '2099-12-31', '--data', data)).stdout.trim();
  await keys('create', 'second', '--per-minute', '10', '--burst', '7', '--data', data);
  await keys('revoke', 'second', '--data', data);
  await keys('create', 'second', '--data', data);
  const { stdout } = await keys('list', '--data', data);
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(
    rows.map(([name, , perMinute, burst, , expires, state]) => [name, perMinute, burst, expires, state]),
  ).toEqual([
    ['name', 'per minute', 'burst', 'expires', 'state'],
    ['first', '600', '200', '2099-12-31T23:59:59.999Z', 'valid'],
    ['second', '10', '7', 'never', 'revoked'],
    ['second', '600', '200', 'never', 'valid'],
  ]);
  expect(stdout).not.toContain(first.slice(16));
  const id = rows[1]?.[1] ?? '';
  expect((await keys('revoke', id, '--data', data)).stdout).toBe('Revoked the key of first.\n');
});

test('a key of scope admin is listed as one', async () => {
  const data = temporaryFolder();
  await keys('create', 'owner', '--admin', '--data', data);
  expect((await keys('list', '--data', data)).stdout).toMatch(/state {2,}scope\n.* valid {2,}admin\n$/);
  const [listed] = JSON.parse((await keys('list', '--json', '--data', data)).stdout);
  expect(listed).toMatchObject({ name: 'owner', scope: 'admin' });
});

test('what cannot be is a clear error', async () => {
  const data = temporaryFolder();
  await keys('create', 'team', '--data', data);
  const cases: [string[], RegExp][] = [
    [['create', 'team'], /there is a key team already: revoke it first/],
    [['create', 'a b'], /name: must be 1 to 64 letters/],
    [['create', 'x', '--expires', 'tomorrow'], /expires: must be a day such as 2027-12-31/],
    [['create', 'x', '--expires', '2026-02-31'], /expires: must be/],
    [['create', 'x', '--expires', '2020-01-01'], /expires: must be in the future/],
    [['create', 'x', '--per-minute', '0'], /at least 1/],
    [['revoke', 'nobody'], /no valid key has the name or the id nobody/],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await keys(...args, '--data', data);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(message);
  }
  expect((await keys('list', '--data', temporaryFolder())).stderr).toMatch(/nothing has been stored/);
});

test('a day that no calendar has is refused, and the list is there for machines', async () => {
  const data = temporaryFolder();
  const create = (name: string, expires: string) =>
    runHere('keys', 'create', name, '--expires', expires, '--data', data);
  for (const day of ['2099-02-31', '2099-13-01', '2099-02-29T12:00:00Z'])
    expect((await create('a', day)).stderr).toMatch(/expires: must be a day such as/);
  expect(await create('a', '2096-02-29')).toMatchObject({ code: 0 });
  expect(JSON.parse((await runHere('keys', 'list', '--json', '--data', data)).stdout)).toMatchObject([
    {
      name: 'a',
      perMinute: 600,
      burst: 200,
      expiresAt: '2096-02-29T23:59:59.999Z',
      revokedAt: null,
      state: 'valid',
    },
  ]);
});
