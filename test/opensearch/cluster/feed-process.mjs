// Waits for a line on stdin, then puts, replaces and removes pages for as long as it lives, and sends them to a cluster.
// Arguments: data folder, addresses of the cluster with commas between, prefix. Prints the change log's newest entry once a
// write is on disk, and `sent` with the entry up to which the cluster has it.
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { sleep } from '../../../dist/src/async/sleep.js';
import { createClusterClient } from '../../../dist/src/index/opensearch/cluster-client.js';
import { feedCluster } from '../../../dist/src/index/opensearch/feed/feed.js';
import { clusterNames } from '../../../dist/src/index/opensearch/generation.js';
import { silentLog } from '../../../dist/src/runtime.js';
import { openPageStore } from '../../../dist/src/store/lmdb-store.js';
import { pageId } from '../../../dist/src/store/page/page-id.js';

const [, , folder, urls, prefix] = process.argv;
const say = (line) => process.stdout.write(`${line}\n`);
const some = (below) => Math.floor(Math.random() * below);

function page(version) {
  const url = `https://a.example/${some(60)}`;
  const body = `heron kind${version % 4}`;
  const nothing = { description: '', headings: '', siteName: null, author: null, publishedAt: null };
  const title = `Version ${version}`;
  return {
    id: pageId(url),
    url,
    title,
    body,
    ...nothing,
    crawledAt: version,
    lang: 'en',
    fileType: 'html',
    wordCount: 2,
  };
}

await once(process.stdin, 'data');
const store = openPageStore(folder);
const feed = feedCluster({
  store,
  client: createClusterClient({ urls: urls.split(',') }),
  names: clusterNames(prefix),
  shape: { shards: 3, replicas: 1 },
  log: silentLog,
  now: Date.now,
  sleep,
  pollMs: 5,
});
let version = store.lastSeq();
for (;;) {
  await store.write((writer) => {
    for (let n = some(6); n >= 0; n--) writer.putPage(page(++version));
    for (let n = some(3); n > 0; n--) writer.removePage(page(0).id);
  });
  say(store.lastSeq());
  await feed.catchUp();
  await after(some(20));
  say(`sent ${feed.state().settledSeq}`);
}
