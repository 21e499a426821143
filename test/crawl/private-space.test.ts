import { describe, expect, test } from 'vitest';
import { htmlPage, openSite, type PageOfSite } from '../site.ts';
import { openCrawler } from './rig.ts';

const notPublic = 'the host is not on the public internet';

/**
 * A public site, played by one on loopback under a name, beside a private one at the metadata address's name, which is
 * refused even where private addresses are allowed. Whatever redirects there must not be followed.
 */
async function openBoth(pages: (there: string) => Record<string, PageOfSite>) {
  const site = await openSite({});
  const there = `http://metadata.test:${site.port}`;
  for (const [path, page] of Object.entries(pages(there))) site.pages.set(path, page);
  const resolve = async (name: string) => (name === 'metadata.test' ? ['169.254.169.254'] : ['127.0.0.1']);
  const crawler = openCrawler({ resolve });
  const url = (path: string) => `http://public.test:${site.port}${path}`;
  return { site, crawler, url };
}

const to = (location: string): PageOfSite => ({ status: 302, headers: { location } });

describe('a redirect into private space is not followed', () => {
  test('by a page', async () => {
    const { crawler, url } = await openBoth((there) => ({ '/robots.txt': '', '/a': to(`${there}/secret`) }));
    const { visit } = await crawler.visitor.visit(url('/a'));
    expect(visit).toMatchObject({ kind: 'never', why: notPublic });
  });

  test.each([
    'http://169.254.169.254/',
    'http://[fe80::1]/',
    'ftp://public.test/',
    'http://u:p@public.test/',
  ])('by a page, to %s', async (location) => {
    const { crawler, url } = await openBoth(() => ({ '/robots.txt': '', '/a': to(location) }));
    const { visit } = await crawler.visitor.visit(url('/a'));
    expect(visit.kind).toBe('never');
  });

  test('by a robots.txt, which then cannot be read', async () => {
    const { crawler, url, site } = await openBoth((there) => ({
      '/robots.txt': to(`${there}/robots.txt`),
      '/': htmlPage('Root'),
    }));
    expect(await crawler.robotsFor(url('/'))).toEqual({ kind: 'never', why: notPublic });
    await crawler.crawl([url('/')]);
    expect(site.pagesAsked()).toEqual([]);
  });

  test('by a sitemap, nor is one there that robots.txt names', async () => {
    const { crawler, url, site } = await openBoth((there) => ({
      '/robots.txt': `Sitemap: ${there}/1.xml\nSitemap: /2.xml`,
      '/2.xml': to(`${there}/2.xml`),
    }));
    expect(await crawler.sitemapUrls(url('/'))).toEqual([]);
    expect(site.hits.filter(({ host }) => host.startsWith('metadata'))).toEqual([]);
  });

  test('by an llms.txt', async () => {
    const { crawler, url, site } = await openBoth((there) => ({
      '/robots.txt': '',
      '/llms.txt': to(`${there}/llms.txt`),
    }));
    await crawler.checkLlmsTxt(url('/'));
    expect(site.hits.filter(({ host }) => host.startsWith('metadata'))).toEqual([]);
  });
});

test('a resolver that changes its answer between two look-ups gains nothing', async () => {
  const site = await openSite({ '/robots.txt': '', '/a': htmlPage('A') });
  const answers: string[][] = [];
  const resolve = async () => {
    answers.push(answers.length === 0 ? ['127.0.0.1'] : ['169.254.169.254']);
    return answers.at(-1) ?? [];
  };
  const { visitor, politeFetch } = openCrawler({ resolve });
  const url = `http://rebind.test:${site.port}/a`;
  // One look-up, one connection: what was checked is what is asked, over both requests.
  expect((await visitor.visit(url)).visit.kind).toBe('page');
  expect(answers).toHaveLength(1);
  await politeFetch.close();
  expect((await visitor.visit(url)).visit).toMatchObject({ kind: 'never', why: notPublic });
});
