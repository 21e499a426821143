import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { sleep } from '../../src/async/sleep.ts';
import { type ClusterClient, createClusterClient } from '../../src/index/opensearch/cluster-client.ts';
import { createClusterIndex } from '../../src/index/opensearch/cluster-index.ts';
import { createGeneration } from '../../src/index/opensearch/feed/build-generation.ts';
import { bulkOperation } from '../../src/index/opensearch/feed/bulk-operation.ts';
import { sendOperations } from '../../src/index/opensearch/feed/send-operations.ts';
import { clusterNames, type Generation, readGeneration } from '../../src/index/opensearch/generation.ts';
import type { IndexChange, PageIndex } from '../../src/index/page-index.ts';
import { silentLog } from '../../src/runtime.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { describePageIndex } from '../index/page-index-suite.ts';
import { randomPage } from '../index/random-index.ts';

const prefix = `t${randomUUID().slice(0, 8)}-`;
const names = clusterNames(prefix);
let client: ClusterClient;
let generation: Generation;
/** The newest version of what was sent so far. */
let newest = 0;
const ids = new Set<string>();

async function send(changes: readonly IndexChange[]): Promise<void> {
  const operations = changes.map((change) => bulkOperation(change, generation));
  const { signal } = new AbortController();
  await sendOperations(operations, { client, now: Date.now, sleep, log: silentLog, signal });
}

/** One generation serves them all, emptied in between: to make one takes longer than to search it. */
async function openEmpty(): Promise<PageIndex> {
  newest++;
  const base = newest;
  await send(Array.from(ids, (id) => ({ seq: base, kind: 'remove', id })));
  const index = createClusterIndex({ client, names, now: Date.now, settledSeq: () => newest - base });
  return {
    ...index,
    apply: async (changes) => {
      for (const change of changes) {
        ids.add(change.kind === 'put' ? change.page.id : change.id);
        newest = Math.max(newest, base + change.seq);
      }
      await send(changes.map((change) => ({ ...change, seq: base + change.seq })));
      await index.refresh();
    },
    close: async () => {},
  };
}

describe.skipIf(inject('jars') === undefined)('in a cluster', () => {
  beforeAll(async () => {
    client = createClusterClient({ urls: inject('clusterUrls') });
    // Its averages are those of some such pages.
    const folder = mkdtempSync(join(tmpdir(), 'gleaner-test-'));
    const store = openPageStore(folder);
    await store.write((writer) => fc.sample(randomPage, 20).forEach(writer.putPage));
    await createGeneration({ client, names, store, shape: { shards: 2, replicas: 0 } }, 'pages');
    await store.close();
    rmSync(folder, { recursive: true });
    generation = (await readGeneration(client, names.pages)) as Generation;
  });
  afterAll(async () => {
    await client.send({ method: 'DELETE', path: `/${generation.name}` });
    await client.close();
  });

  describePageIndex('cluster', { open: openEmpty, isExact: false, runs: 60 });
});
