import { expect, test } from 'vitest';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { createPageIntake } from '../../src/store/page/page-intake.ts';
import { openCrawler } from '../crawl/rig.ts';
import { examplePage } from '../pages.ts';
import { runHere } from '../run-here.ts';
import { htmlPage, openSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const site = 'https://birds.example';
const urls = ['/', '/owls/', '/owls/barn', '/owls/tawny', '/herons'].map((path) => site + path);
const elsewhere = [
  'https://birds.example:8443/owls/',
  'https://www.birds.example/',
  'file:///srv/owls/a.html',
];

/** The command line over a data folder that has these pages. */
async function openBirds() {
  const data = temporaryFolder();
  const store = openPageStore(data);
  const pages = createPageIntake(store);
  await store.write((writer) => {
    for (const url of [...urls, ...elsewhere])
      pages.put(writer, examplePage({ url, body: `Of ${url} alone.` }));
  });
  await store.close();
  return (...args: string[]) => runHere(...args, '--data', data);
}

test('the URL of a page removes that page alone, and a second time nothing', async () => {
  const run = await openBirds();
  for (const url of [`${site}/owls/`, `${site}/`]) {
    expect(await run('remove', url)).toMatchObject({ code: 0, stdout: 'Removed 1 page.\n' });
    const again = await run('remove', url);
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`is ${url};`) });
  }
  expect((await run('remove', `${site}/owls/`)).stderr).toBe(
    `gleaner: nothing in the index is ${site}/owls/; it has 2 pages of ${site}/owls/*\n`,
  );
  expect((await run('remove', `${site}/owls/*`)).stdout).toBe('Removed 2 pages.\n');
  expect((await run('remove', `${site}/owls/*`)).stderr).toMatch(/^gleaner: nothing in the index is https/);
  expect((await run('status')).stdout).toMatch(/^birds\.example +1 /m);
});

test('a dry run and status --site tell before what would be removed', async () => {
  const run = await openBirds();
  const dry = await run('remove', 'birds.example', '--dry-run');
  expect(dry.stdout).toMatch(/^Would remove 7 pages:\n {2}https:/);
  expect(dry.stdout).toContain(`  ${elsewhere[0]}\n`);
  expect((await run('remove', `${site}/owls/*`, '--dry-run')).stdout).toBe(
    `Would remove 3 pages:\n  ${site}/owls/\n  ${site}/owls/barn\n  ${site}/owls/tawny\n`,
  );
  const status = await run('status', '--site', 'birds.example');
  expect(status.stdout).toMatch(/^birds\.example: 7 pages\n\nsite +birds\.example\npages +5\n/);
  expect(status.stdout).toMatch(/^site +birds\.example:8443\npages +1$/m);
  expect((await run('status', '--site', 'birds.example/owls')).stdout).toMatch(/owls: 4 pages\n\nsite/);
  expect((await run('status', '--site', `${site}/owls/`)).stdout).toMatch(/owls\/: 1 page\n\nsite/);
  expect((await run('status', '--site', 'file:///srv/')).stdout).toMatch(/1 page\n\nsite +\(files\)/);
  expect((await run('remove', 'birds.example')).stdout).toBe('Removed 7 pages.\n');
});

test('a name that many sites end with is refused', async () => {
  const { code, stderr } = await runHere('remove', 'com', '--data', temporaryFolder());
  expect(stderr).toMatch(/^gleaner: com is too wide: .*example\.com.*https:\/\/com\/\*/);
  expect(code).toBe(1);
});

test('status tells of URLs that a crawl has not visited yet', async () => {
  const birds = await openSite({
    '/': htmlPage('Birds', ['/a', '/b']),
    '/a': htmlPage('A'),
    '/b': htmlPage('B'),
  });
  const { crawl, close, folder } = openCrawler();
  await crawl([birds.url('/')], { maxPages: 1 });
  await close();
  const run = (...args: string[]) => runHere(...args, '--data', folder);
  expect((await run('status')).stdout).toContain(`\n  ${birds.host}  2 URLs queued\n`);
  expect(JSON.parse((await run('status', '--json')).stdout).unfinishedCrawls).toEqual([
    { host: birds.host, queued: 2 },
  ]);
  expect((await run('status', '--site', birds.host)).stdout).toMatch(/^URLs queued +2 /m);
});

test('status of a missing folder says so before it lists the services', async () => {
  const { code, stdout, stderr } = await runHere('status', '--data', `${temporaryFolder()}/none`);
  expect(stderr).toMatch(/^gleaner: nothing has been stored in/);
  expect(stdout).not.toBe('');
  expect(code).toBe(1);
});
