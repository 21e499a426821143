import { expect, test } from 'vitest';
import { basicPlane } from '../../src/text/characters.ts';
import { normalizeForm } from '../../src/text/fold.ts';

/** The whole normalisation: a fraction is never left as it is. */
function normalizedBesideFraction(text: string): string {
  return normalizeForm(`${text}\u00bd`).slice(0, -'1\u20442'.length);
}

test('a text that is left alone is one that normalisation would leave alone', () => {
  const characters = [...basicPlane()];
  const wrong = characters.filter((c) => normalizeForm(c) !== normalizedBesideFraction(c));
  expect(wrong).toEqual([]);
  expect(normalizeForm('Caf\u00e9 \u201c\u6587\u5b57\u201d')).toBe('Caf\u00e9 \u201c\u6587\u5b57\u201d');
});

test('no two characters of such a text join', () => {
  // Every character that something joins with has a first half under NFD; every one that joins, a second.
  const halves = [...basicPlane()].map((c) => c.normalize('NFD')).filter((form) => form.length > 1);
  const firsts = new Set(halves.map((form) => form[0] as string));
  const seconds = new Set(halves.flatMap((form) => [...form].slice(1)));
  const wrong = [...firsts].filter((first) =>
    [...seconds].some((second) => normalizeForm(first + second) !== normalizedBesideFraction(first + second)),
  );
  expect(wrong).toEqual([]);
});
