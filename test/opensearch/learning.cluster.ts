import { describe, expect, inject, test } from 'vitest';
import type { SearchResponse } from '../../src/contract/search.ts';
import { type Environment, runGleaner, startGleaner } from '../process.ts';
import { htmlPage, openSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ownPrefix } from './cluster/fed-index.ts';

async function startService(args: readonly string[], more: Environment) {
  const service = startGleaner(['serve', '--port', '0', ...args], '', more);
  const [, url = ''] = await service.says(/listens on (\S+)/);
  const get = (path: string) => fetch(`${url}${path}`);
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { url, get, post };
}

describe.skipIf(inject('jars') === undefined)('what a front end meets and may not visit', () => {
  test('is learned by the machine that crawls: external results that were shown, and pages that were read', async () => {
    const site = await openSite({
      '/': htmlPage('Herons', ['/grey']),
      '/grey': htmlPage('Grey heron'),
      '/egret': htmlPage('Great egret'),
    });
    const data = temporaryFolder();
    await runGleaner('crawl', site.url('/'), '--allow-private', '--delay', '0', '--data', data);
    const team = await startService(['--data', data], {});
    const shared = {
      GLEANER_INDEX: 'opensearch',
      OPENSEARCH_URL: inject('clusterUrls').join(','),
      OPENSEARCH_PREFIX: ownPrefix(),
      GLEANER_LEARN: '1',
      GLEANER_ALLOW_PRIVATE: '1',
      GLEANER_SEARCH_LIMIT: '6000/1000',
    };
    await startService(['--data', temporaryFolder()], shared);
    const front = await startService([], {
      ...shared,
      XDG_DATA_HOME: temporaryFolder(),
      GLEANER_EXTERNAL: 'gleaner',
      GLEANER_PEER_URL: team.url,
      GLEANER_EXTERNAL_DEADLINE_MS: '20000',
    });
    const sourceOf = async (q: string) => {
      const answer = await front.get(`/api/v1/search?${new URLSearchParams({ q })}`);
      return ((await answer.json()) as SearchResponse).results?.[0]?.source;
    };
    await expect.poll(() => sourceOf('intitle:grey')).toBe('external');
    await expect.poll(() => sourceOf('intitle:grey')).toBe('local');

    const read = () => front.post('/openwebui/load', { urls: [site.url('/egret')] });
    const refused = await read();
    expect([refused.status, await refused.text()]).toEqual([
      404,
      expect.stringContaining('the machine that crawls was asked to read it'),
    ]);
    await expect.poll(async () => (await read()).status).toBe(200);
    expect(site.timesAsked('/egret')).toBe(1);
  });
});
