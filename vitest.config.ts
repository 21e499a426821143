import { defineConfig } from 'vitest/config';
import { builtWorkers } from './test/built-workers.ts';

export default defineConfig({
  plugins: [builtWorkers()],
  test: {
    include: ['test/**/*.test.ts'],
    // A busy machine is slow, not wrong.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
    // One less than there are processors is the default: half of two, though most tests wait for other processes.
    maxWorkers: '100%',
    // `npm run coverage`. What runs in processes and threads of its own, from dist/, is not counted.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'tools/**/*.ts'],
      reporter: ['text-summary'],
      reportsDirectory: 'coverage',
    },
  },
});
