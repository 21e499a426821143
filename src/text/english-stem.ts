import { stemmer } from '@orama/stemmers/english';

const inIon = /^(.+(?:s|(?<!a)t))ion(?:s|al|ed|ing)?$/;
/** Two sequences of vowels and consonants: Porter's measure above 1. */
const twoMeasures =
  /^(?:[^aeiou][^aeiouy]*)?[aeiouy][aeiou]*[^aeiou][^aeiouy]*[aeiouy][aeiou]*[^aeiou][^aeiouy]*/;

/**
 * Porter's stem of an English word in lower case (Porter: An algorithm for suffix stripping, 1980). The library's
 * step 4 takes the s or t before `ion` too, which parts `connection` from `connect`.
 */
export function englishStem(word: string): string {
  const base = inIon.exec(word)?.[1];
  return base !== undefined && twoMeasures.test(base) ? base : stemmer(word);
}
