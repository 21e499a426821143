import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSentenceLog } from '../../src/cli/output/sentence-log.ts';
import { type Environment, runGleaner, startGleaner } from '../process.ts';
import { htmlPage, openSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The address of a proxy that nothing listens at: every request of another service fails there. */
async function closedProxy(): Promise<Environment> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const proxy = `http://127.0.0.1:${port}`;
  return { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, GLEANER_EXTERNAL: 'wikipedia,hackernews' };
}

async function imported(): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'heron.html'), '<title>Grey herons</title><p>A heron stands in the water.');
  const data = temporaryFolder();
  expect((await runGleaner('import', folder, '--data', data)).code).toBe(0);
  return data;
}

test('a line of the log is a sentence: what happened, why, and what belongs to it', () => {
  const lines: string[] = [];
  const log = createSentenceLog({ logLevel: 'info' }, (line) => lines.push(line));
  const full = Object.assign(new Error("ENOSPC: no space left on device, write '/x'"), { code: 'ENOSPC' });
  log.error({ err: full }, 'the index could not be packed; it is complete all the same, but slower');
  log.info({ pages: 3, tookMs: 12, parts: [1] }, 'the index was packed');
  log.warn({ err: new Error('one\u001b[2J\n    at two') }, 'it failed');
  log.debug({}, 'nothing of that');
  expect(lines).toEqual([
    'The index could not be packed; it is complete all the same, but slower: no space left on device',
    'The index was packed (pages 3, took ms 12)',
    'It failed: one[2J',
  ]);
});

test('a search without a network says so once, in a sentence', async () => {
  const data = await imported();
  const environment = await closedProxy();
  const search = (...args: string[]) =>
    startGleaner(['search', ...args, '--data', data], '', environment).finished;
  for (const word of ['zebra', 'heron']) {
    const { stderr, code } = await search(word);
    expect(stderr).toMatch(
      /^None of 2 other search services could be reached, .*check the proxy that HTTPS_PROXY names.*\n$/,
    );
    expect(code).toBe(0);
  }
  expect((await search('heron', '--quiet')).stderr).toBe('');
  const { stdout, stderr } = await search('--verbose', 'heron');
  expect(stderr).toMatch(/^Wikipedia failed after \d+ ms: /m);
  expect(stderr).toMatch(/^Hackernews failed after \d+ ms: /m);
  expect(stdout).toContain('Grey herons');
});

test('a crawl that finds no host says where to look, and prints no JSON', async () => {
  const { stdout, stderr } = await runGleaner(
    'crawl',
    'http://gleaner.invalid/',
    '--data',
    temporaryFolder(),
  );
  expect(stdout).toMatch(/^No host was found: check the address, and the network/m);
  expect(stderr).not.toContain('{');
});

test('crawl: --quiet leaves the summary alone, --verbose names what became of every URL', async () => {
  const site = await openSite({ '/': htmlPage('Root', ['/a', '/missing']), '/a': htmlPage('A') });
  const crawl = (...more: string[]) =>
    runGleaner(
      'crawl',
      site.url('/'),
      '--allow-private',
      '--delay',
      '0',
      '--data',
      temporaryFolder(),
      ...more,
    );
  const quiet = await crawl('--quiet');
  expect(quiet.stderr).toBe('');
  expect(quiet.stdout).toMatch(/^stored +2$/m);
  const quietJson = await crawl('--quiet', '--json');
  expect(
    quietJson.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).kind),
  ).toEqual(['summary']);
  const { stderr } = await crawl('--verbose');
  expect(stderr).toContain(`Stored: ${site.url('/a')}\n`);
  expect(stderr).toContain(`Not found: ${site.url('/missing')}\n`);
});

test('import, remove and keys: --quiet leaves the answer alone, --verbose names every page', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.html'), '<title>A</title><p>One page of text.');
  const data = ['--data', temporaryFolder()];
  expect((await runGleaner('import', folder, '--verbose', ...data)).stderr).toMatch(
    /^Stored: file:.*a\.html$/m,
  );
  expect((await runGleaner('import', folder, '--verbose', ...data)).stderr).toMatch(/^Unchanged: file:/m);
  const quiet = await runGleaner('--quiet', 'import', folder, ...data);
  expect([quiet.stderr, quiet.stdout]).toEqual(['', expect.stringMatching(/^unchanged +1$/m)]);
  expect(await runGleaner('keys', 'create', 'bot', '--quiet', ...data)).toMatchObject({
    stderr: '',
    stdout: expect.stringMatching(/^gl_\S+\n$/),
  });
  const removed = await runGleaner('remove', `file://${folder}/`, '--verbose', ...data);
  expect(removed).toMatchObject({
    stdout: 'Removed 1 page.\n',
    stderr: expect.stringMatching(/^Removed: file:/),
  });
  const failed = await runGleaner('remove', 'example.com', '--quiet', ...data);
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringMatching(/^gleaner: nothing in the index/) });
});

test('--quiet and --verbose exclude each other', async () => {
  const { code, stderr } = await runGleaner('status', '--quiet', '--verbose');
  expect(stderr).toMatch(/'--quiet' cannot be used with option '--verbose'/);
  expect(code).toBe(1);
});

test('status shows the pages, then the sites, then the other services', async () => {
  const { stdout } = await runGleaner('status', '--data', await imported());
  const order = ['Pages: 1', 'site  ', '(files)', 'No other service is asked'].map((text) =>
    stdout.indexOf(text),
  );
  expect(order[0]).toBe(0);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test('a setting that does not exist is warned of: a sentence for people, a line of the log for a service', async () => {
  const data = await imported();
  const environment = { GLEANER_PROT: '1', GLEANER_SERVICE_HOST: '10.0.0.1' };
  const status = (...more: string[]) =>
    startGleaner(['status', '--data', data, ...more], '', environment).finished;
  expect((await status()).stderr).toBe(
    'gleaner: GLEANER_PROT in the environment is ignored: it is no setting (did you mean GLEANER_PORT?)\n',
  );
  expect((await status('--quiet')).stderr).toBe('');
  const mcp = await startGleaner(['mcp', '--data', data], '', environment).finished;
  expect(mcp.stdout).toBe('');
  expect(JSON.parse(mcp.stderr)).toMatchObject({
    level: 40,
    msg: expect.stringMatching(/did you mean GLEANER_PORT/),
  });
});

test('help shows no empty list as a default', async () => {
  expect((await runGleaner('crawl', '--help')).stdout).not.toContain('default: []');
});
