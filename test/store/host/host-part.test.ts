import { expect, test } from 'vitest';
import { bucketOf, bucketRange, hostBuckets, isOfPart } from '../../../src/store/host/host-part.ts';

test.each([1, 2, 3, 7, 100, 256])('%d machines share all buckets, each about as many', (of) => {
  const ranges = Array.from({ length: of }, (_, index) => bucketRange({ number: index + 1, of }));
  expect(ranges[0]?.first).toBe(0);
  expect(ranges.at(-1)?.end).toBe(hostBuckets);
  for (const [index, { first, end }] of ranges.entries()) {
    expect(first).toBe(ranges[index - 1]?.end ?? 0);
    expect(Math.abs(end - first - hostBuckets / of)).toBeLessThan(1);
  }
});

test('every page of a host belongs to the one machine of that host', () => {
  for (let n = 0; n < 200; n++) {
    const host = `https://h${n}.example`;
    const owners = [1, 2, 3].filter((number) => isOfPart(`${host}/a?b=1`, { number, of: 3 }));
    expect(owners).toHaveLength(1);
    expect(isOfPart(`${host}/other`, { number: owners[0] as number, of: 3 })).toBe(true);
  }
  expect(isOfPart('https://a.example/', undefined)).toBe(true);
});

test('the division does not change from version to version: folders depend on it', () => {
  expect(['https://a.example/', 'https://b.example/x', 'http://127.0.0.1:8080/'].map(bucketOf)).toEqual([
    184, 232, 182,
  ]);
});
