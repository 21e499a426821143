import { expect, test } from 'vitest';
import { prose } from '../extract/extractor.ts';
import { runGleaner } from '../process.ts';
import { htmlPage, openSite } from '../site.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('a crawl goes on past hostile pages, and finds what stands between them', {
  timeout: 120_000,
}, async () => {
  const hostile: Record<string, string> = {
    '/nested': '<div>'.repeat(100_000),
    '/unclosed': '<b><i><font>x'.repeat(10_000),
    '/brackets': '<'.repeat(2_000_000),
    '/tables': '<table><tr><td>'.repeat(3000),
    '/attribute': `<div class="${'a '.repeat(1_000_000)}">`,
    '/comments': '<!--'.repeat(300_000),
  };
  const paths = Object.keys(hostile);
  const site = await openSite({
    '/': htmlPage('Start', [...paths, '/good']),
    ...hostile,
    '/good': `<html><head><title>Quinces</title></head><body><main><h1>Quinces</h1>${prose('quinces')}</main></body></html>`,
  });
  const data = temporaryFolder();
  const crawl = await runGleaner('crawl', site.url('/'), '--allow-private', '--delay', '0', '--data', data);
  expect(crawl.code).toBe(0);
  expect(site.pagesAsked()).toEqual(expect.arrayContaining([...paths, '/good']));
  const { stdout } = await runGleaner('search', 'quinces', '--json', '--data', data);
  expect(JSON.parse(stdout).results[0]).toMatchObject({ url: site.url('/good'), title: 'Quinces' });
});
