import { defineConfig } from 'vitest/config';
import { builtWorkers } from '../built-workers.ts';

/** The OpenSearch back end on real nodes. They need a JDK and Maven, and the first run downloads them. */
export default defineConfig({
  plugins: [builtWorkers()],
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/opensearch/**/*.cluster.ts'],
    globalSetup: ['test/opensearch/cluster/global-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 250 } },
    fileParallelism: false,
  },
});
