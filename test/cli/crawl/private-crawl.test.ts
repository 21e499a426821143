import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runGleaner, startProcess } from '../../process.ts';
import { htmlPage, openSite } from '../../site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const own = ['--allow-private', '--delay', '0'];

/** Documentation for those who show `header` with `value` alone. */
const openDocs = (header: string, value: string) => {
  const page =
    (body: string) =>
    ({ headers }: { headers: Record<string, unknown> }) =>
      headers[header] === value ? body : { status: 401, body: htmlPage('Log in') };
  return openSite({
    '/': page(htmlPage('Handbook', ['/oaks'])),
    '/oaks': page(htmlPage('Oaks and elms')),
  });
};

/** The files of a folder with one of the texts in their bytes, as UTF-8 or UTF-16. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  const wanted = texts.flatMap((text) => [Buffer.from(text), Buffer.from(text, 'utf16le')]);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return wanted.some((text) => bytes.includes(text));
    });
}

const basic = Buffer.from('ann:pass-w0rd').toString('base64');

describe.each([
  [
    'Basic',
    'authorization',
    `Basic ${basic}`,
    ['--header', 'Authorization: Basic ann:pass-w0rd'],
    'pass-w0rd',
  ],
  [
    'Bearer',
    'authorization',
    'Bearer t0ken-of-mine',
    ['--header', 'Authorization: Bearer t0ken-of-mine'],
    't0ken-of-mine',
  ],
  ['a cookie', 'cookie', 'sid=c00kie-of-mine', ['--cookie-file', 'jar'], 'c00kie-of-mine'],
])('documentation behind %s', (_, header, value, options, secret) => {
  test('is crawled and found, and the secret is in no file and no word of the program', async () => {
    const site = await openDocs(header, value);
    const data = temporaryFolder();
    const jar = join(temporaryFolder(), 'jar');
    writeFileSync(jar, ['127.0.0.1', 'FALSE', '/', 'FALSE', '0', 'sid', 'c00kie-of-mine'].join('\t'));
    const given = options.map((word) => (word === 'jar' ? jar : word));
    const crawl = ['crawl', site.url('/'), ...own, '--data', data];
    const first = await runGleaner('--verbose', ...crawl, ...given, '--max-pages', '1');
    expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/stored +1\n/)]);
    // The command that goes on is printed.
    expect(first.stdout).toContain(
      header === 'cookie' ? `--cookie-file ${jar}` : "--header 'Authorization: …'",
    );
    const second = await runGleaner('--verbose', ...crawl, ...given);
    expect([second.code, second.stdout]).toEqual([0, expect.stringMatching(/stored +1\n/)]);
    const found = await runGleaner('search', 'elms', '--data', data);
    expect(found.stdout).toContain('Oaks and elms');
    const without = await runGleaner('--verbose', ...crawl);
    expect(without.stdout).toMatch(/it was read with credentials, and there are none for it now/);
    const status = await runGleaner('status', '--data', data);
    const ofSite = await runGleaner('status', '--site', site.host, '--data', data);
    expect(ofSite.stdout).toMatch(/pages +2\n/);
    const said = [first, second, found, without, status, ofSite].map(({ stdout, stderr }) => stdout + stderr);
    expect(said.join('\n')).not.toContain(secret);
    expect(said.join('\n')).not.toContain(basic);
    expect(filesWith(data, [secret, basic])).toEqual([]);
    // The look itself finds what is there.
    expect(filesWith(data, ['elms'])).not.toEqual([]);
  });
});

test('credentials of the settings are used by a crawl, and by extract, and their values are not kept', async () => {
  const site = await openDocs('x-docs-key', 'k3y-of-mine');
  const data = temporaryFolder();
  const settings = join(temporaryFolder(), 'credentials');
  writeFileSync(settings, `${site.origin}/ X-Docs-Key: env:DOCS_KEY\n`);
  const environment = { GLEANER_CREDENTIALS: settings, DOCS_KEY: 'k3y-of-mine' };
  const bin = new URL('../../../bin/gleaner.mjs', import.meta.url).pathname;
  const run = (...args: string[]) =>
    startProcess(process.execPath, [bin, ...args, '--data', data], '', environment).finished;
  const crawl = await run('crawl', site.url('/'), ...own);
  expect([crawl.code, crawl.stdout]).toEqual([0, expect.stringMatching(/stored +2\n/)]);
  expect(filesWith(data, ['k3y-of-mine'])).toEqual([]);
  const extract = [bin, 'extract', site.url('/oaks'), '--allow-private'];
  const extracted = await startProcess(process.execPath, extract, '', environment).finished;
  expect(extracted.stdout).toContain('Oaks and elms');
});

test.each([
  [['--header', 'X: a\r\nHost: s3cret'], /--header: the value of the header X has a line end/],
  [['--header', 'Host: s3cret'], /--header: the header Host cannot be set/],
  [['--header', 'X: env:NOT_SET'], /--header: the environment variable NOT_SET is not set/],
  [['--cookie-file', '/nonexistent'], /--cookie-file: \/nonexistent cannot be read/],
  [['--recrawl', '--header', 'X: s3cret'], /--recrawl takes its credentials from GLEANER_CREDENTIALS/],
])('crawl %j is refused before anything is asked', async (options, message) => {
  const site = await openSite({ '/': htmlPage('Root') });
  const { code, stderr } = await runGleaner(
    'crawl',
    site.url('/'),
    ...own,
    ...options,
    '--data',
    temporaryFolder(),
  );
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  expect(stderr).not.toContain('s3cret');
  expect(site.hits).toEqual([]);
});
