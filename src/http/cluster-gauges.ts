import { Gauge, type Registry } from 'prom-client';

/** What metrics tell of the cluster that has the index. */
export interface ClusterSample {
  /** Whether it answers searches. */
  readonly isUp: boolean;
  /** Pages that it can never index. */
  readonly failedPages: number;
}

/** They appear with the first state of a cluster, so that an index in the data folder has none. */
export function clusterGauges(registers: Registry[]): (cluster: ClusterSample | undefined) => void {
  let gauges: { readonly up: Gauge; readonly failed: Gauge } | undefined;
  return (cluster) => {
    if (!cluster) return;
    gauges ??= {
      up: new Gauge({
        name: 'gleaner_opensearch_up',
        help: '1 while the cluster answers searches, else 0.',
        aggregator: 'min',
        registers,
      }),
      failed: new Gauge({
        name: 'gleaner_opensearch_failed_pages',
        help: 'Pages that the cluster can never index: gleaner index status names them.',
        aggregator: 'max',
        registers,
      }),
    };
    gauges.up.set(cluster.isUp ? 1 : 0);
    gauges.failed.set(cluster.failedPages);
  };
}
