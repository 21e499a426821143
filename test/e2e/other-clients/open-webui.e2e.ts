import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { startGleaner } from '../../process.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { fetchOpenWebUi, installPythonClients } from './python-clients.ts';

const exec = promisify(execFile);
const round = fileURLToPath(new URL('open_webui_round.py', import.meta.url));

let python: string;
let openWebUi: string;
beforeAll(async () => {
  python = await installPythonClients();
  openWebUi = await fetchOpenWebUi();
});

interface Found {
  readonly link: string;
  readonly title: string;
  readonly snippet: string;
}

test("Open WebUI's own search engines and loader get results and pages, with a key and without", async () => {
  const data = temporaryFolder();
  const created = await startGleaner(['keys', 'create', 'open-webui', '--data', data]).finished;
  const key = /gl_\w+/.exec(created.stdout)?.[0] ?? '';
  expect(key).not.toBe('');
  const service = startGleaner(['serve', '--port', '0', '--data', data]);
  const [, url = ''] = await service.says(/listens on (\S+)/);
  await service.says(/in the index/);
  const crawling = `${url}/docs/crawling`;
  const ask = async (withKey: string) => {
    // More addresses than the loader sends at once, and one that cannot be read.
    const addresses = [crawling, 'https://nowhere.example/', ...Array(20).fill(`${url}/docs/http`)];
    const { stdout } = await exec(python, [
      round,
      openWebUi,
      url,
      withKey,
      'crawler robots.txt',
      ...addresses,
    ]);
    return JSON.parse(stdout) as { external: Found[]; searxng: Found[]; documents: [string, object][] };
  };

  const { external, searxng, documents } = await ask(key);
  for (const results of [external, searxng]) {
    expect(results).toHaveLength(3);
    expect(results).toContainEqual({
      link: crawling,
      title: 'Crawling',
      snippet: expect.stringMatching(/\S/),
    });
  }
  expect(documents).toHaveLength(21);
  expect(documents[0]).toEqual([
    expect.stringContaining('robots.txt'),
    expect.objectContaining({ source: crawling, title: 'Crawling' }),
  ]);
  expect((await ask('')).external).toEqual(external);
  // The program logs what its engines say and shows no results; its loader was told to fail.
  await expect(ask('gl_unknown')).rejects.toThrow(/401 Client Error/);
});
