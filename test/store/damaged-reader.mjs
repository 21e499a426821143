// Reads every page of the stores that stdin names, a line each, and prints what it got: a checksum of each page, or the
// error. Dies where LMDB dies of a file; whoever started it goes on with the next one.
import { createInterface } from 'node:readline';
import { crc32 } from 'node:zlib';
import { openPageStore } from '../../dist/src/store/lmdb-store.js';

for await (const line of createInterface({ input: process.stdin })) {
  const { folder, ids } = JSON.parse(line);
  const pages = {};
  let error;
  try {
    const store = openPageStore(folder);
    try {
      for (const id of ids) {
        const page = store.page(id);
        if (page) pages[id] = crc32(JSON.stringify([page.url, page.title, page.headings, page.body]));
      }
      for (const head of store.heads()) if (!ids.includes(head.id)) error = `an unknown page ${head.id}`;
    } finally {
      await store.close();
    }
  } catch (thrown) {
    error = `${thrown.name}: ${thrown.message}`;
  }
  process.stdout.write(`${JSON.stringify({ folder, pages, error })}\n`);
}
process.exit();
