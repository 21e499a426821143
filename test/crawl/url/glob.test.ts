import fc from 'fast-check';
import { expect, test } from 'vitest';
import { globMatches } from '../../../src/crawl/url/glob.ts';

test('says the same as a regular expression', () => {
  const alphabet = fc.constantFrom('a', 'b', '/', '*', '?', '.');
  const pattern = fc.string({ unit: alphabet, maxLength: 8 });
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '?'), maxLength: 10 });
  const slow = (glob: string) =>
    new RegExp(`^${glob.replace(/[.]/g, '\\.').replace(/\*/g, '.*').replace(/\?/g, '.')}$`, 's');
  fc.assert(
    fc.property(pattern, text, (glob, value) => globMatches(glob, value) === slow(glob).test(value)),
    { numRuns: 5000 },
  );
});

test('takes no longer for a pattern of many stars', () => {
  expect(globMatches(`${'*a'.repeat(50)}b`, 'a'.repeat(2000))).toBe(false);
});
