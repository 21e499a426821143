import { defineConfig } from 'vitest/config';
import { builtWorkers } from '../built-workers.ts';

/** The end-to-end runs: the packed package over a real site. They need Debian packages and the npm registry. */
export default defineConfig({
  plugins: [builtWorkers()],
  test: {
    root: new URL('../..', import.meta.url).pathname,
    globalSetup: ['test/e2e/mcp-clients/rust-build.ts'],
    include: ['test/e2e/**/*.e2e.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 15_000 } },
    fileParallelism: false,
  },
});
