import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ChoiceLimits,
  chooseOccurrences,
  groupByWord,
} from '../../../src/text/occurrences/choose-occurrences.ts';
import { findTerms } from '../../../src/text/occurrences/find-terms.ts';
import { filled, foundTerms } from './found-terms.ts';

const terms = new Map([
  ['heron', 1],
  ['pond', 1],
  ['egret', 1],
]);
const occurrencesIn = (text: string) => groupByWord(findTerms(text, terms, 'en'));
const choose = (text: string, limits: ChoiceLimits) =>
  filled((into) => chooseOccurrences(occurrencesIn(text), limits, into));

test('of a frequent word those near a rare one are chosen, then the first ones', () => {
  const text = `${'heron. '.repeat(60)}${'x '.repeat(300)}the egret and its heron. ${'heron. '.repeat(60)}`;
  const egret = text.indexOf('egret');
  const chosen = choose(text, { perWord: 50, terms: 400 });
  const herons = chosen.filter(({ word }) => word === 'heron').map(({ start }) => start);
  const near = [...text.matchAll(/heron/g)]
    .map(({ index }) => index)
    .filter((start) => Math.abs(start - egret) <= 200);
  expect(near.length).toBeGreaterThan(20);
  expect(herons).toEqual(expect.arrayContaining(near));
  expect(herons).toHaveLength(50);
  expect(herons[0]).toBe(0);
});

test('where all words are frequent, those near the rarest one are chosen', () => {
  const text = `${'heron '.repeat(500)}${'pond heron '.repeat(20)}${'heron '.repeat(500)}`;
  const chosen = choose(text, { perWord: 10, terms: 20 });
  const ponds = chosen.filter(({ word }) => word === 'pond');
  expect(ponds).toHaveLength(10);
  const first = text.indexOf('pond');
  for (const { start, word } of chosen) if (word === 'heron') expect(start).toBeGreaterThan(first - 201);
});

test('no limit is exceeded, and without need nothing is left out', () => {
  const text = fc.array(fc.constantFrom('heron', 'pond', 'egret', 'x', '\n'), { maxLength: 200 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 60 }), fc.nat(120), (words, perWord, most) => {
      const all = foundTerms(occurrencesIn(words.join(' ')).list);
      const chosen = choose(words.join(' '), { perWord, terms: most });
      expect(chosen.length).toBeLessThanOrEqual(most);
      expect(new Set(chosen.map(({ start, word }) => `${start} ${word}`)).size).toBe(chosen.length);
      for (const { from, to } of groupByWord(chosen).words) expect(to - from).toBeLessThanOrEqual(perWord);
      const starts = chosen.map(({ start }) => start);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      if (all.length <= Math.min(most / 3, perWord)) expect(chosen).toHaveLength(all.length);
      if (all.length > 0 && most > 0) expect(chosen.length).toBeGreaterThan(0);
    }),
  );
});
