import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startProcess } from '../process.ts';
import { htmlPage, openSite, type PageOfSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Installed, installPacked } from './installed.ts';
import { isGone, startSession } from './mcp-session.ts';

const restarts = 20;
const noisyCalls = 20;

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
});
afterAll(() => installed.remove());

const mayVisitHere = { GLEANER_ALLOW_PRIVATE: '1' };
const neverAnswers: PageOfSite = () => null;

test('a client that is restarted twenty times, however it ends, leaves no process and no lock', async () => {
  const site = await openSite({ '/hangs': neverAnswers });
  for (let number = 0; number < restarts; number++)
    site.pages.set(`/page-${number}`, htmlPage(`Page ${number}`));
  const data = temporaryFolder();
  const pids: number[] = [];
  for (let number = 0; number < restarts; number++) {
    const { child, finished, call, hears } = startSession(installed.bin, ['--data', data], mayVisitHere);
    pids.push(child.pid ?? 0);
    call(1, 'fetch_content', { url: site.url(`/page-${number}`) });
    expect(await hears(({ id }) => id === 1)).toMatchObject({
      result: { structuredContent: { lang: 'en' } },
    });
    // Half of them end while a page is visited that does not answer.
    if (number % 2 === 1) {
      const before = site.timesAsked('/hangs');
      call(2, 'fetch_content', { url: site.url('/hangs') });
      await expect.poll(() => site.timesAsked('/hangs'), { timeout: 60_000 }).toBeGreaterThan(before);
    }
    if (number % 4 < 2) child.stdin.end();
    // What is visited would be waited for, so clients that close send this next.
    if (number % 4 === 1) child.kill('SIGTERM');
    if (number % 4 >= 2) child.kill(number % 8 < 4 ? 'SIGTERM' : 'SIGKILL');
    const { code } = await finished;
    if (number % 4 < 2) expect(code).toBe(0);
  }
  expect(pids.filter((pid) => !isGone(pid))).toEqual([]);

  const removed = await startProcess(installed.bin, ['remove', '--data', data, site.url('/page-0')]).finished;
  expect(removed.stderr + removed.stdout).not.toMatch(/another process|is held|locked/i);
  expect(removed.code, removed.stderr).toBe(0);
  const status = await startProcess(installed.bin, ['status', '--data', data]).finished;
  expect(status.stdout).toMatch(new RegExp(`^Pages: ${restarts - 1}$`, 'm'));
});

test('the server ends with a client that is killed', async () => {
  const folder = temporaryFolder();
  const site = await openSite({ '/hangs': neverAnswers });
  const client = join(folder, 'client.mjs');
  const messages = [
    {
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'doomed', version: '0' },
      },
    },
    { method: 'notifications/initialized' },
    {
      id: 1,
      method: 'tools/call',
      params: { name: 'fetch_content', arguments: { url: site.url('/hangs') } },
    },
  ];
  writeFileSync(
    client,
    `import { spawn } from 'node:child_process';
const server = spawn(${JSON.stringify(installed.bin)}, ['mcp', '--data', ${JSON.stringify(join(folder, 'data'))}]);
for (const message of ${JSON.stringify(messages)})
  server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
console.log(server.pid);
`,
  );
  const parent = spawn(process.execPath, [client], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', GLEANER_EXTERNAL: 'off', ...mayVisitHere },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [printed] = await once(parent.stdout, 'data');
  const pid = Number(String(printed));
  await expect.poll(() => site.timesAsked('/hangs'), { timeout: 60_000 }).toBe(1);
  expect(isGone(pid)).toBe(false);
  parent.kill('SIGKILL');
  await expect.poll(() => isGone(pid), { timeout: 60_000 }).toBe(true);
});

test('a visit says that it goes on, and stops when its call is cancelled', async () => {
  let cutOff = () => {};
  const wasCutOff = new Promise<void>((resolve) => {
    cutOff = resolve;
  });
  const site = await openSite({
    '/hangs': (_, response) => {
      response.once('close', cutOff);
      return null;
    },
  });
  const { child, finished, call, say, hears, lines } = startSession(
    installed.bin,
    ['--data', temporaryFolder()],
    mayVisitHere,
  );
  call(1, 'fetch_content', { url: site.url('/hangs') }, { progressToken: 'visit' });
  await hears(
    ({ method, params }) => method === 'notifications/progress' && params?.message === 'Visiting the page',
  );
  await expect.poll(() => site.timesAsked('/hangs'), { timeout: 60_000 }).toBe(1);
  say({ method: 'notifications/cancelled', params: { requestId: 1 } });
  await wasCutOff;
  say({ id: 2, method: 'ping' });
  await hears(({ id }) => id === 2);
  child.stdin.end();
  expect((await finished).code).toBe(0);
  expect(lines.map((line) => JSON.parse(line).id)).not.toContain(1);
});

/** Prints by every way there is, from the moment on at which the server reads. */
const noise = `
const flood = setInterval(() => {
  if (process.stdin.listenerCount('data') === 0) return;
  for (let line = 0; line < 5; line++) {
    console.log('a stray line'); console.info({ stray: line }); console.table([line]); console.dir(line);
    process.stdout.write('{"stray":"without an end"'); process._rawDebug('stray');
    process.emitWarning('a warning', { code: 'GLEANER_TEST_' + Math.random() });
  }
}, 5);
flood.unref();
`;

test('nothing but protocol is on stdout, however much is printed, and calls at once are all answered', async () => {
  const folder = temporaryFolder();
  const preload = join(folder, 'noise.mjs');
  writeFileSync(preload, noise);
  const { child, finished, call, say, hears, lines, unread } = startSession(
    installed.bin,
    ['--data', join(folder, 'data')],
    { NODE_OPTIONS: `--import=${preload}`, GLEANER_LOG: 'debug' },
  );
  child.stdin.write('garbage\n');
  for (let id = 1; id <= noisyCalls; id++) call(id, 'web_search', { query: `word${id}`, max_results: '5' });
  for (let id = 1; id <= noisyCalls; id++) {
    expect(await hears((message) => message.id === id)).toMatchObject({
      result: { structuredContent: { total: 0 } },
    });
  }
  say({ id: 'last', method: 'tools/list' });
  await hears(({ id }) => id === 'last');
  child.stdin.end();
  const { code, stderr } = await finished;
  expect(code).toBe(0);
  const heard = lines.map((line) => JSON.parse(line));
  expect(heard.filter(({ jsonrpc }) => jsonrpc !== '2.0')).toEqual([]);
  expect(heard.filter(({ error }) => error)).toMatchObject([{ id: null, error: { code: -32700 } }]);
  expect(heard).toHaveLength(noisyCalls + 3);
  expect(unread()).toBe('');
  expect(stderr.split('a stray line').length).toBeGreaterThan(20);
  expect(stderr.split('GLEANER_TEST_').length).toBeGreaterThan(20);
});
