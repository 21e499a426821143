import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBucketTable } from '../../src/limits/bucket-table.ts';

test('keeps what a plain map keeps, for as long as it has not passed', () => {
  const steps = fc.array(
    fc.record({
      high: fc.integer({ min: 0, max: 3 }),
      low: fc.integer({ min: 0, max: 40 }),
      lasts: fc.integer({ min: 1, max: 100_000 }),
      pause: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
    }),
    { maxLength: 400 },
  );
  fc.assert(
    fc.property(steps, (sets) => {
      const times = createBucketTable();
      const plain = new Map<string, number>();
      let now = 1;
      for (const { high, low, lasts, pause } of sets) {
        now += pause;
        times.set({ high, low }, now + lasts, now);
        plain.set(`${high}.${low}`, now + lasts);
      }
      let alive = 0;
      for (const [name, time] of plain) {
        const [high = 0, low = 0] = name.split('.').map(Number);
        const kept = times.get({ high, low });
        if (time > now) {
          alive += 1;
          expect(kept).toBe(time);
        } else expect([0, time]).toContain(kept);
      }
      expect(times.count()).toBeGreaterThanOrEqual(alive);
      expect(times.count()).toBeLessThanOrEqual(plain.size);
    }),
  );
});

test('a client that was never seen has none', () => {
  const times = createBucketTable();
  times.set({ high: 1, low: 2 }, 10, 1);
  expect([times.get({ high: 2, low: 1 }), times.get({ high: 0, low: 0 })]).toEqual([0, 0]);
});

test('a hundred thousand clients are each kept, and all forgotten in time', () => {
  const times = createBucketTable();
  for (let low = 0; low < 100_000; low++) times.set({ high: 0x20010db8, low }, 20_000 + low, 1);
  expect(times.count()).toBe(100_000);
  for (let low = 0; low < 100_000; low++) {
    if (times.get({ high: 0x20010db8, low }) !== 20_000 + low) throw new Error(`${low} was lost`);
  }
  // Whatever comes next does the forgetting.
  for (let now = 200_000; now < 240_000; now += 100) times.set({ high: 1, low: 1 }, now + 1, now);
  expect(times.count()).toBe(1);
});
