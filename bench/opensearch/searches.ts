import { SearchParams } from '../../src/contract/search.ts';
import { createEngine } from '../../src/engine/engine.ts';
import { createClusterClient } from '../../src/index/opensearch/cluster-client.ts';
import { createClusterIndex } from '../../src/index/opensearch/cluster-index.ts';
import { createClusterPages } from '../../src/index/opensearch/cluster-pages.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { silentLog } from '../../src/runtime.ts';
import { quantile } from '../http/load.ts';
import { spent } from './cpu.ts';
import { type ClusterParts, names } from './fill-cluster.ts';

interface SearchesParts extends ClusterParts {
  readonly queries: readonly string[];
  readonly passes: number;
}

/** Every query, one after the other; the pass with the least CPU of the cluster is reported, after one that warms it. */
export async function measureSearches({
  urls,
  clusterPid,
  queries,
  passes,
}: SearchesParts): Promise<string[]> {
  const client = createClusterClient({ urls });
  const index = createClusterIndex({
    client,
    names,
    now: Date.now,
    settledSeq: () => 0,
    withHeads: true,
  });
  const pages = createClusterPages({ client, index });
  const params = queries.map((q) => SearchParams.parse({ q }));
  const trees = queries.map((q) => parseQuery(q));

  const firstPhase = () => {
    return async (place: number): Promise<void> => {
      await index.search({ query: trees[place] as (typeof trees)[number], limit: 30 });
    };
  };
  const wholeAnswer = () => {
    // A new engine: the one before it has these answers.
    const engine = createEngine({ pages, index, now: Date.now, log: silentLog, web: undefined });
    return async (place: number): Promise<void> => {
      await engine.search(params[place] as SearchParams);
    };
  };

  const line = async (name: string, open: typeof firstPhase): Promise<string> => {
    let best: { clusterMs: number; nodeMs: number; waits: Float64Array } | undefined;
    for (let pass = 0; pass <= passes; pass++) {
      const ask = open();
      const waits = new Float64Array(queries.length);
      const { clusterMs, nodeMs } = await spent(clusterPid, async () => {
        for (let place = 0; place < queries.length; place++) {
          const start = performance.now();
          await ask(place);
          waits[place] = performance.now() - start;
        }
      });
      if (pass > 0 && clusterMs < (best?.clusterMs ?? Number.POSITIVE_INFINITY))
        best = { clusterMs, nodeMs, waits: waits.sort() };
    }
    if (!best) return '';
    const each = (ms: number): string => (ms / queries.length).toFixed(1);
    const { waits } = best;
    return `| ${name} | ${each(best.clusterMs)} | ${each(best.nodeMs)} | ${quantile(waits, 0.5).toFixed(1)} | ${quantile(waits, 0.99).toFixed(1)} |`;
  };

  const lines = [
    '| a search, in ms | CPU of the cluster | CPU of Node | wall, p50 | wall, p99 |',
    '|---|--:|--:|--:|--:|',
    await line('30 hits with their heads', firstPhase),
    await line('whole answer of a front end: both phases, ten snippets', wholeAnswer),
  ];
  await client.close();
  return lines;
}
