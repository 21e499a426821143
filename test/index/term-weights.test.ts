import { expect, test } from 'vitest';
import { termWeights } from '../../src/index/term-weights.ts';
import { parseQuery } from '../../src/query/parser.ts';

const counts = { pages: 1000, documentFrequency: () => 10 };
const weightsOf = (q: string) => termWeights(parseQuery(q), counts);

test('a word that is typed twice counts twice, and more often no more than that', () => {
  const once = weightsOf('heron pond');
  const twice = weightsOf('heron pond heron');
  expect(twice.get('heron')).toBeCloseTo(2 * (once.get('heron') ?? 0));
  expect(twice.get('pond')).toBe(once.get('pond'));
  expect(weightsOf('heron heron pond heron').get('heron')).toBe(twice.get('heron'));
});

test('a word in two readings of a question counts once', () => {
  const once = weightsOf('heron');
  for (const q of ['heron OR (heron pond)', '(heron OR tern) (heron OR pond)'])
    expect(weightsOf(q).get('heron')).toBe(once.get('heron'));
});
