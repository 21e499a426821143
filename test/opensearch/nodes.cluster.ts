import { describe, expect, inject, test } from 'vitest';
import { startCluster } from './cluster/start-nodes.ts';

const urls = inject('clusterUrls');
const jars = inject('jars');

describe.skipIf(jars === undefined)('the nodes under test', () => {
  test('three nodes are one cluster', async () => {
    const health = await fetch(`${urls[1]}/_cluster/health`).then((response) => response.json());
    expect(health).toMatchObject({ number_of_nodes: 3, status: 'green' });
  });

  test('a node of its own can be killed and started again', async () => {
    if (!jars) return;
    const cluster = await startCluster(jars, { nodes: 1, apart: true, heapMb: 256 });
    try {
      await cluster.kill(0);
      await expect(fetch(`${cluster.urls[0]}/`)).rejects.toThrow('fetch failed');
      cluster.restart(0);
      await cluster.ready();
    } finally {
      await cluster.stop();
    }
  });
});
