import fc from 'fast-check';
import { expect, test } from 'vitest';
import { impactStep, impactWeights, maxImpact } from '../../src/index/impact-weights.ts';

const weight = fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 15, noNaN: true }));
const terms = fc.array(fc.tuple(weight, fc.integer({ min: 1, max: maxImpact })), {
  minLength: 1,
  maxLength: 1000,
});

/** Adds in the given order, each sum rounded to single precision. */
const singleSum = (numbers: readonly number[]) =>
  numbers.reduce((sum, each) => Math.fround(sum + Math.fround(each)), 0);

test('a score is the same in single precision, whatever the order of its sum, also with a preference', () => {
  fc.assert(
    fc.property(terms, (drawn) => {
      const weights = impactWeights(new Map(drawn.map(([given], index) => [`${index}`, given])));
      const parts = drawn.map(([, impact], index) => (weights.get(`${index}`) as number) * impact);
      const exact = parts.reduce((sum, part) => sum + part, 0);
      expect(singleSum(parts)).toBe(exact);
      expect(singleSum(parts.toReversed())).toBe(exact);
      expect(singleSum(parts.toSorted((a, b) => b - a))).toBe(exact);
      expect(Math.fround(exact * 1.5)).toBe(exact * 1.5);
    }),
    { numRuns: 300 },
  );
});

test('weights are rounded by far less than impacts are', () => {
  fc.assert(
    fc.property(terms, (drawn) => {
      const given = new Map(drawn.map(([each], index) => [`${index}`, each]));
      const sum = [...given.values()].reduce((all, each) => all + each, 0);
      for (const [term, rounded] of impactWeights(given))
        expect(Math.abs(rounded - (given.get(term) as number) * impactStep)).toBeLessThanOrEqual(
          (sum * impactStep) / 2 ** 14,
        );
    }),
  );
});

test('terms without any weight stay without', () => {
  expect([...impactWeights(new Map([['a', 0]]))]).toEqual([['a', 0]]);
  expect(impactWeights(new Map()).size).toBe(0);
});
