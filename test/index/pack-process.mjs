// Waits for a line on stdin, then puts, replaces and removes pages and packs them for as long as it lives. Prints the
// change log's newest entry once a write is on disk, `packing` before each packing and `packed` after it. The second
// argument is the size from which segments are mapped; without it, these are too small.
import { once } from 'node:events';
import { join } from 'node:path';
import { pack } from '../../dist/src/index/packed/pack.js';
import { createSegmentMapping } from '../../dist/src/index/packed/segment-mapping.js';
import { openPageStore } from '../../dist/src/store/lmdb-store.js';
import { pageId } from '../../dist/src/store/page/page-id.js';

const [, , folder, minBytes] = process.argv;
const mapping = createSegmentMapping({ log: console, ...(minBytes && { minBytes: Number(minBytes) }) });
const say = (line) => process.stdout.write(`${line}\n`);
const some = (below) => Math.floor(Math.random() * below);

function page(version) {
  const url = `https://a.example/${some(60)}`;
  return {
    id: pageId(url),
    url,
    title: `Version ${version}`,
    description: '',
    headings: '',
    body: `heron kind${version % 4}`,
    siteName: null,
    author: null,
    publishedAt: null,
    crawledAt: version,
    lang: 'en',
    fileType: 'html',
    wordCount: 2,
  };
}

await once(process.stdin, 'data');
const store = openPageStore(folder);
let version = store.lastSeq();
for (;;) {
  await store.write((writer) => {
    for (let n = some(6); n >= 0; n--) writer.putPage(page(++version));
    for (let n = some(3); n > 0; n--) writer.removePage(page(0).id);
  });
  say(store.lastSeq());
  say('packing');
  pack(store, join(folder, 'index'), mapping);
  say('packed');
}
