import { expect, test } from 'vitest';
import { jsonBytes } from '../../src/async/json-bytes.ts';

test('texts count with two bytes a unit, at any depth, and every value with something', () => {
  const answer = (snippet: string) => ({
    total: 2,
    results: [{ snippet, score: null }, { tags: ['a', 'b'] }],
  });
  const length = 1000;
  expect(jsonBytes(answer('x'.repeat(length))) - jsonBytes(answer(''))).toBe(2 * length);
  for (const value of [null, true, 0, '', [], {}, undefined]) expect(jsonBytes(value)).toBeGreaterThan(0);
  expect(jsonBytes([1, 2, 3])).toBeGreaterThan(jsonBytes([1, 2]));
});
