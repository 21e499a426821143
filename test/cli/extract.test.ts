import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prose } from '../extract/extractor.ts';
import { runGleaner } from '../process.ts';
import { runHere } from '../run-here.ts';
import { openSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const page = `<!doctype html><html lang="en"><head><title>Posting lists | Example</title>
  <meta property="article:published_time" content="2024-03-05T10:20:30+02:00"><meta name="author" content="Ada Lovelace">
  </head><body><nav id="top"><a href="/">Home</a></nav><main><h1>Posting lists</h1>${prose()}${prose('skip lists')}</main>
  <div class="cookie-banner">We use cookies on this site.</div></body></html>`;

test('a file is read into the content record', async () => {
  const file = join(temporaryFolder(), 'page.html');
  writeFileSync(file, page);
  const { code, stdout } = await runGleaner('extract', file, '--json');
  const record = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(record).toMatchObject({
    url: `file://${file}`,
    title: 'Posting lists',
    author: 'Ada Lovelace',
    published_at: '2024-03-05T08:20:30.000Z',
    lang: 'en',
  });
  expect(record.body_text).toMatch(/^This paragraph says something about posting lists/);
});

test('the record has the day of the page where the instant is of another one in UTC', async () => {
  const file = join(temporaryFolder(), 'page.html');
  writeFileSync(file, page.replace('10:20:30+02:00', '22:20:30-05:00'));
  const { stdout } = await runGleaner('extract', file, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    published_at: '2024-03-06T03:20:30.000Z',
    published_day: '2024-03-05',
  });
});

test('--explain says what each step left out, why, and where the fields come from', async () => {
  const file = join(temporaryFolder(), 'page.html');
  writeFileSync(file, page);
  const { stdout } = await runGleaner('extract', file, '--explain');
  expect(stdout).toMatch(/drop-apparatus: .+\n +- 4 characters in nav#top: Home/);
  expect(stdout).toMatch(/drop-by-name: .+\n +- 28 characters in div\.cookie-banner: We use cookies/);
  expect(stdout).toContain('published_at from meta article:published_time: 2024-03-05T10:20:30+02:00');
  expect(stdout).not.toContain('This paragraph says something');
});

test('a URL is requested as its robots.txt allows, and redirects are followed', async () => {
  const site = await openSite({
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /secret' },
    '/old': { status: 301, headers: { location: '/new' } },
    '/new': page,
    '/secret/page': page,
  });
  const read = await runGleaner('extract', site.url('/old'), '--allow-private');
  expect([read.code, read.stdout.includes('Ada Lovelace')]).toEqual([0, true]);
  const refused = await runGleaner('extract', site.url('/secret/page'), '--allow-private');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/robots\.txt of .+ asks us not to read/),
  ]);
  const missing = await runGleaner('extract', site.url('/none'), '--allow-private');
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('404')]);
  expect(site.pagesAsked()).toEqual(['/old', '/new', '/none']);
});

test('--explain names the Markdown beside a page that scripts draw, and without any there is a clear error', async () => {
  const shell = '<title>App</title><div id="root"></div><script src="/app.js"></script>';
  const body = '# Owls\n\nOwls hunt at night and hear a mouse below the snow.\n';
  const site = await openSite({
    '/robots.txt': '',
    '/owls': shell,
    '/owls.md': { headers: { 'content-type': 'text/markdown' }, body },
    '/mice': shell,
  });
  const read = await runHere('extract', site.url('/owls'), '--explain', '--allow-private');
  expect(read).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`body from ${site.url('/owls.md')}\n`),
  });
  expect(await runHere('extract', site.url('/mice'), '--allow-private')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/mice cannot be read: drawn by scripts/),
  });
});

test('what is no page ends in a clear error', async () => {
  const file = join(temporaryFolder(), 'picture.png');
  writeFileSync(file, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]));
  expect(await runGleaner('extract', file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be read: /),
  });
  expect(await runGleaner('extract', `${file}.gone`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no such file'),
  });
  for (const [target, reason] of [
    ['http://127.0.0.1/', /not on the public internet: .*--allow-private/],
    ['http://127.0.0.1:9999/', /not a web port: .*--allow-private/],
    [temporaryFolder(), /is a folder: give a file/],
    ['/dev/null', /is empty: there is no text/],
  ] as const)
    expect(await runHere('extract', target)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(reason),
    });
});
