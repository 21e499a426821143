import type { TestProject } from 'vitest/node';
import { findJars, type Jars } from './jars.ts';
import { startCluster } from './start-nodes.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The addresses of a cluster of three nodes; none where it cannot be started. */
    readonly clusterUrls: readonly string[];
    /** For a test that starts nodes of its own. */
    readonly jars: Jars | undefined;
  }
}

/**
 * Starts the cluster that all files of the run share, unless `GLEANER_TEST_CLUSTER` names the addresses of one. Without
 * Java, Maven or Maven Central it says so, and every test is skipped.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const jars = findJars();
  if ('missing' in jars) {
    process.stderr.write(`\nSKIPPED: the tests of the OpenSearch back end do not run: ${jars.missing}.\n\n`);
    project.provide('clusterUrls', []);
    project.provide('jars', undefined);
    return undefined;
  }
  project.provide('jars', jars);
  const running = process.env.GLEANER_TEST_CLUSTER;
  if (running) {
    project.provide('clusterUrls', running.split(','));
    return undefined;
  }
  const cluster = await startCluster(jars, { nodes: 3 });
  process.stderr.write(`OpenSearch ${jars.version}: three nodes at ${cluster.urls.join(', ')}\n`);
  project.provide('clusterUrls', cluster.urls);
  return cluster.stop;
}
