import { expect, test } from 'vitest';
import { heaviestWords, queryFeatures } from '../../../src/engine/ranking/query-features.ts';
import { parseQuery } from '../../../src/query/parser.ts';

const numbers = Array.from({ length: 40 }, (_, index) => index + 1);

/** Weights of the words w1, w2 …: the higher the number, the heavier. */
const weights = new Map(numbers.map((number) => [`w${number}`, number]));

test('a query of up to sixteen words keeps its weights, the very map', () => {
  const query = parseQuery(
    numbers
      .slice(0, 16)
      .map((number) => `w${number}`)
      .join(' '),
  );
  expect(heaviestWords(query, weights)).toBe(weights);
});

test.each([' ', ' OR '])(
  'of forty words with %j between them the sixteen heaviest are looked for',
  (between) => {
    const query = parseQuery([...weights.keys()].join(between));
    const kept = heaviestWords(query, weights);
    expect([...kept.keys()]).toEqual(numbers.slice(24).map((number) => `w${number}`));
    const features = queryFeatures(query, kept);
    expect([...features.weights.keys()].sort()).toEqual([...kept.keys()].sort());
    expect(features.totalWeight).toBe([...kept.values()].reduce((sum, weight) => sum + weight, 0));
    // The words as typed, one after the other, cannot be told on a page any more.
    expect(features.phrases).toEqual([]);
  },
);

test('words of a quoted phrase are looked for, whatever they weigh', () => {
  const query = parseQuery(`"w1 w2" ${[...weights.keys()].slice(2).join(' ')}`);
  const features = queryFeatures(query, heaviestWords(query, weights));
  expect(features.phrases).toEqual([['w1', 'w2']]);
  expect(features.weights.get('w1')).toBe(0);
  expect(features.weights.has('w3')).toBe(false);
});

test('a form that a heavy word shares with a light one stays', () => {
  const words = [...weights.keys()];
  const query = parseQuery(`${words.join(' ')} herons`);
  const withStem = new Map([...weights, ['herons', 50], ['~heron', 0.1]]);
  const kept = heaviestWords(query, withStem);
  expect(kept.get('herons')).toBe(50);
  expect(kept.get('~heron')).toBe(0.1);
  expect(kept.has('w24')).toBe(false);
});
