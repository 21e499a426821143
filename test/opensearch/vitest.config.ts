import { defineConfig } from 'vitest/config';
import { builtWorkers } from '../built-workers.ts';

/** The suites that hold every back end to the same answers; see `open-app.ts`. */
const ofEveryBackEnd = [
  'test/engine/{engine,external-results,filters,partial-matches}.test.ts',
  'test/engine/{ranking/text-source,ranking/two-phase-ranking,suggestion/did-you-mean}.test.ts',
  'test/http/{contract,external,routes,other-apis/*}.test.ts',
];

/** The OpenSearch back end on real nodes. They need a JDK and Maven, and the first run downloads them. */
export default defineConfig({
  plugins: [builtWorkers()],
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/opensearch/**/*.cluster.ts', ...ofEveryBackEnd],
    globalSetup: ['test/opensearch/cluster/global-setup.ts'],
    setupFiles: ['test/opensearch/cluster/skip-without-nodes.ts'],
    // Three processes may take minutes to start on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 250 } },
    fileParallelism: false,
  },
});
