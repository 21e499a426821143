import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../../src/app/app.ts';
import { createCrawler } from '../../../src/app/crawler.ts';
import { SearchParams } from '../../../src/contract/search.ts';
import { silentLog } from '../../../src/runtime.ts';
import { htmlPage, openSite } from '../../site.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { docx, pdf, wordParagraph } from './build-files.ts';

test('a crawl finds the words of linked documents, and filetype: selects their types', async () => {
  const site = await openSite({
    '/': htmlPage('Waders', ['/report.pdf', '/plan', '/locked.docx']),
    '/report.pdf': {
      body: pdf(['Bittern report', 'The bittern booms in the reeds at night.'], ''),
      headers: { 'content-type': 'application/pdf' },
    },
    '/plan': {
      body: docx(wordParagraph('The avocet nests on bare mud.')),
      headers: { 'content-type': 'application/octet-stream' },
    },
    '/locked.docx': {
      body: 'not a document',
      headers: { 'content-type': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' },
    },
  });
  const app = openApp({ config: { dataFolder: temporaryFolder() }, log: silentLog });
  const crawler = createCrawler({
    store: app.store,
    pageWriter: app.pageWriter,
    config: { allowPrivate: true, contact: undefined },
    delaySeconds: 0,
    readers: 1,
  });
  onTestFinished(async () => {
    await crawler.close();
    await app.close();
  });
  await crawler.crawl({ seeds: [site.url('/')] });
  const paths = async (q: string) => {
    const { results } = await app.engine.search(SearchParams.parse({ q }));
    return results.map(({ url }) => new URL(url).pathname).sort();
  };
  expect(await paths('bittern booms')).toEqual(['/report.pdf']);
  expect(await paths('avocet mud')).toEqual(['/plan']);
  expect(await paths('filetype:pdf')).toEqual(['/report.pdf']);
  expect(await paths('filetype:doc')).toEqual(['/plan']);
  expect(await paths('waders filetype:pdf')).toEqual([]);
  expect(site.timesAsked('/locked.docx')).toBe(1);
});
