import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // A busy machine is slow, not wrong.
    expect: { poll: { timeout: 15_000 } },
  },
});
