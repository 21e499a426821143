import { stemmer } from '@orama/stemmers/english';

const inIon = /^(.+(?:s|(?<!a)t))ion(?:s|al|ed|ing)?$/;
/** Two sequences of vowels and consonants: Porter's measure above 1. */
const twoMeasures =
  /^(?:[^aeiou][^aeiouy]*)?[aeiouy][aeiou]*[^aeiou][^aeiouy]*[aeiouy][aeiou]*[^aeiou][^aeiouy]*/;

/**
 * Porter's stem of an English word in lower case (Porter: An algorithm for suffix stripping, 1980). Step 4 of the
 * library also removes the s or t before `ion`, so that `connection` and `connect` would have different stems.
 */
export function englishStem(word: string): string {
  // Few words have it, and the expression tries each of their beginnings.
  const base = word.includes('ion') ? inIon.exec(word)?.[1] : undefined;
  return base !== undefined && twoMeasures.test(base) ? base : stemmer(word);
}
