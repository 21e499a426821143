// Puts pages one after the other for as long as it lives and prints each id once its commit is on disk.
import { openPageStore } from '../../dist/src/store/lmdb-store.js';
import { pageId } from '../../dist/src/store/page/page-id.js';

const store = openPageStore(process.argv[2]);
for (let n = 0; ; n++) {
  const url = `https://${process.pid}.example/${n}`;
  const page = {
    id: pageId(url),
    url,
    title: `Page ${n}`,
    description: '',
    headings: '',
    body: 'text '.repeat(500),
    siteName: null,
    author: null,
    publishedAt: null,
    crawledAt: Date.UTC(2026, 0, 1),
    lang: 'en',
    fileType: 'html',
    wordCount: 502,
  };
  await store.write((writer) => writer.putPage(page));
  process.stdout.write(`${page.id}\n`);
}
