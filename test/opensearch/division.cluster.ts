import { describe, expect, inject, test } from 'vitest';
import { isOfPart } from '../../src/store/host/host-part.ts';
import { startGleaner } from '../process.ts';
import { htmlPage, openSite, type PageOfSite, type Site } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ownPrefix } from './cluster/fed-index.ts';

const pagesEach = 30;

/** A site whose host is of this part. */
async function siteOf(number: number, pages: Record<string, PageOfSite>): Promise<Site> {
  for (;;) {
    const site = await openSite(pages);
    if (isOfPart(site.url('/'), { number, of: 2 })) return site;
    await site.close();
  }
}

const sitePages = (name: string): Record<string, PageOfSite> => {
  const paths = Array.from({ length: pagesEach }, (_, n) => `/${n}`);
  return {
    '/': htmlPage(`Herons of the ${name}`, paths),
    ...Object.fromEntries(paths.map((path) => [path, htmlPage(`Heron ${path.slice(1)} of the ${name}`)])),
  };
};

describe.skipIf(inject('jars') === undefined)('two machines that crawl into one cluster', () => {
  test('have hosts of their own, hand the others over, and fill one index', async () => {
    const marsh = await siteOf(2, {
      ...sitePages('marsh'),
      '/hidden': htmlPage('Hidden heron of the marsh'),
    });
    const river = await siteOf(1, sitePages('river'));
    const moved = await siteOf(1, { '/': { status: 301, headers: { location: marsh.url('/hidden') } } });
    const shared = {
      GLEANER_INDEX: 'opensearch',
      OPENSEARCH_URL: inject('clusterUrls').join(','),
      OPENSEARCH_PREFIX: ownPrefix(),
      GLEANER_ALLOW_PRIVATE: '1',
    };
    const folders = [temporaryFolder(), temporaryFolder()];
    const on = (machine: 0 | 1, ...args: string[]) => {
      const settings = { ...shared, GLEANER_PART: `${machine + 1}/2` };
      return startGleaner([...args, '--data', folders[machine] as string], '', settings).finished;
    };
    const front = startGleaner(['serve', '--port', '0'], 'open', {
      ...shared,
      XDG_DATA_HOME: temporaryFolder(),
      // The polls below would be past the limit of a client.
      GLEANER_SEARCH_LIMIT: 'off',
    });
    const [, origin] = await front.says(/listens on (\S+)/);
    const titles = async (q: string) => {
      const answer = await fetch(`${origin}/api/v1/search?${new URLSearchParams({ q, limit: '50' })}`);
      const { total, results } = (await answer.json()) as { total: number; results: { title: string }[] };
      return total === undefined ? [] : results.map(({ title }) => title);
    };

    const crawl = ['crawl', '--delay', '0'];
    const [first, second] = await Promise.all([
      on(0, ...crawl, river.url('/'), marsh.url('/'), moved.url('/')),
      on(1, ...crawl, river.url('/')),
    ]);
    expect([first.code, second.code, first.stderr + second.stderr]).toEqual([0, 0, expect.anything()]);
    // The second machine may have looked before the first one had handed over.
    const third = await on(1, ...crawl);
    expect(third.code).toBe(0);

    await expect.poll(() => titles('"of the river"')).toHaveLength(pagesEach + 1);
    await expect.poll(() => titles('"of the marsh"')).toHaveLength(pagesEach + 2);
    expect(await titles('hidden')).toEqual(['Hidden heron of the marsh']);
    for (const path of ['/', '/0', '/29']) {
      expect([river.timesAsked(path), marsh.timesAsked(path)]).toEqual([1, 1]);
    }
    for (const machine of [0, 1] as const) {
      const verified = await on(machine, 'index', 'verify', '--json');
      expect(JSON.parse(verified.stdout)).toMatchObject({ missing: [], extra: 0 });
    }
  });
});
