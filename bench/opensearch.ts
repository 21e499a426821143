import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { findJars } from '../test/opensearch/cluster/jars.ts';
import { startCluster } from '../test/opensearch/cluster/start-nodes.ts';
import { cached } from './engines/cache.ts';
import { machine } from './engines/table.ts';
import { fillCluster } from './opensearch/fill-cluster.ts';
import { drawnQueries, manyPages } from './opensearch/pages.ts';
import { measureSearches } from './opensearch/searches.ts';
import { writeBlock } from './write-block.ts';

/** Three nodes in one process, with the memory of a small machine. */
const heapMb = 2048;

/**
 * What do an index in a cluster and its searches cost? Three nodes on this machine, three shards, one replica.
 * `--pages 24000`, of each the first `--chars` characters of its text if that is set, `--passes 3` of 500 queries, `--write`
 * puts the table into docs/scale.md. Needs a JDK and Maven.
 */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pages: { type: 'string', default: '24000' },
      chars: { type: 'string' },
      passes: { type: 'string', default: '3' },
      write: { type: 'boolean', default: false },
    },
  });
  const jars = findJars();
  if ('missing' in jars) throw new Error(jars.missing);
  const count = Number(values.pages);
  const maxChars = values.chars === undefined ? undefined : Number(values.chars);
  const folder = cached('opensearch', 'data');
  rmSync(folder, { recursive: true, force: true });
  const store = openPageStore(folder);
  const queries = await drawnQueries();
  for await (const batch of manyPages(count, maxChars))
    await store.write((writer) => batch.forEach(writer.putPage));
  const cluster = await startCluster(jars, { nodes: 3, heapMb, isFast: false });
  try {
    const parts = { store, urls: cluster.urls, clusterPid: cluster.pid() };
    const filling = await fillCluster(parts);
    const searching = await measureSearches({ ...parts, queries, passes: Number(values.passes) });
    const text = [
      `${count.toLocaleString('en')} pages${maxChars === undefined ? '' : ` of at most ${maxChars.toLocaleString('en')} characters`}, ${queries.length} queries; OpenSearch ${jars.version}, three nodes in one process on the same machine, three shards, one replica; ${machine()}.`,
      '',
      ...filling,
      '',
      ...searching,
    ].join('\n');
    console.log(text);
    if (values.write) writeBlock('docs/scale.md', `opensearch-${count}`, text);
  } finally {
    await cluster.stop();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
