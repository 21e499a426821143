import { describe, expect, inject, test } from 'vitest';

const urls = inject('clusterUrls');

describe.skipIf(inject('jars') === undefined)('the nodes under test', () => {
  test('three nodes are one cluster', async () => {
    const health = await fetch(`${urls[1]}/_cluster/health`).then((response) => response.json());
    expect(health).toMatchObject({ number_of_nodes: 3, status: 'green' });
  });
});
