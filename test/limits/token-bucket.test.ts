import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenBucket } from './token-bucket.ts';

function bucketWithClock(capacity: number, perSecond: number) {
  const clock = { ms: 1_000_000 };
  return { clock, bucket: createTokenBucket({ capacity, perSecond, now: () => clock.ms }) };
}

test('a burst up to the capacity is allowed, then one has to wait', () => {
  const { bucket, clock } = bucketWithClock(3, 2);
  expect([bucket.tryTake(), bucket.tryTake(), bucket.tryTake()]).toEqual([0, 0, 0]);
  expect(bucket.tryTake()).toBe(0.5);
  clock.ms += 499;
  expect(bucket.tryTake()).toBeGreaterThan(0);
  clock.ms += 1;
  expect(bucket.tryTake()).toBe(0);
});

test('a refused take takes nothing', () => {
  const { bucket } = bucketWithClock(3, 1);
  bucket.tryTake(2);
  expect(bucket.tryTake(2)).toBe(1);
  expect(bucket.tryTake(1)).toBe(0);
});

test('a long pause fills the bucket and no more', () => {
  const { bucket, clock } = bucketWithClock(2, 10);
  bucket.tryTake(2);
  clock.ms += 3_600_000;
  expect(bucket.remaining()).toBe(2);
  expect(bucket.secondsUntilFull()).toBe(0);
});

test('what is left and the time until full are told without taking', () => {
  const { bucket, clock } = bucketWithClock(10, 2);
  bucket.tryTake(7);
  clock.ms += 250;
  expect(bucket.remaining()).toBe(3);
  expect(bucket.secondsUntilFull()).toBe(3.25);
});

test('a clock that is set back neither gives nor takes tokens', () => {
  const { bucket, clock } = bucketWithClock(5, 1);
  bucket.tryTake(3);
  clock.ms -= 60_000;
  expect(bucket.remaining()).toBe(2);
  clock.ms += 1000;
  expect(bucket.remaining()).toBe(3);
});

test('more than the bucket can hold, and a bucket that cannot fill, are mistakes of the caller', () => {
  expect(() => bucketWithClock(2, 1).bucket.tryTake(3)).toThrow(RangeError);
  expect(() => bucketWithClock(0, 1)).toThrow(RangeError);
  expect(() => bucketWithClock(1, 0)).toThrow(RangeError);
});

test('whoever waits the seconds that were told gets the tokens, and the rate is never exceeded', () => {
  const takes = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 5000 })), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(takes, fc.double({ min: 0.1, max: 50, noNaN: true }), (steps, perSecond) => {
      const { bucket, clock } = bucketWithClock(4, perSecond);
      const start = clock.ms;
      let taken = 0;
      for (const [tokens, pauseMs] of steps) {
        clock.ms += pauseMs;
        const seconds = bucket.tryTake(tokens);
        if (seconds > 0) {
          clock.ms += Math.ceil(seconds * 1000);
          expect(bucket.tryTake(tokens)).toBe(0);
        }
        taken += tokens;
        expect(taken).toBeLessThanOrEqual(4 + ((clock.ms - start) / 1000) * perSecond + 1e-3);
      }
    }),
  );
});
