import { defineConfig } from 'vitest/config';
import { builtWorkers } from './test/built-workers.ts';

export default defineConfig({
  plugins: [builtWorkers()],
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // One less than there are processors is the default: half of two, though most tests wait for other processes.
    maxWorkers: '100%',
    // A busy machine is slow, not wrong.
    expect: { poll: { timeout: 15_000 } },
  },
});
