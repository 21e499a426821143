/** Particles after a consonant, after a vowel, and after either; particles of place and time come last. */
const particle =
  /^(.{2,}?)(은|이|을|과|이란|는|가|를|와|란|으로|로|의|에|에서|에게|에는|에서는|까지|부터|하는|하기|하려면|하나요|합니다|합니까)$/su;
const afterConsonant = new Set(['은', '이', '을', '과', '이란', '으로']);
const afterVowel = new Set(['는', '가', '를', '와', '란', '로']);

const firstSyllable = 0xac00;
const lastSyllable = 0xd7a3;
const endings = 28;
/** `로` follows vowels and this ending consonant (ㄹ). */
const rieul = 8;

/**
 * A Korean word without its particle (`파이썬을` becomes `파이썬`). Only if two syllables or more remain, and the last of
 * them ends as the particle demands, in a consonant or a vowel. Endings that only look like a particle are removed too
 * (`고양이`), so callers should not take the remaining word for the only form.
 */
export function withoutKoreanParticle(word: string): string {
  const [, stem = word, ending = ''] = particle.exec(word) ?? [];
  const before = stem.charCodeAt(stem.length - 1);
  if (ending === '' || before < firstSyllable || before > lastSyllable) return word;
  const final = (before - firstSyllable) % endings;
  if (afterConsonant.has(ending) && (final === 0 || (ending === '으로' && final === rieul))) return word;
  if (afterVowel.has(ending) && final !== 0 && !(ending === '로' && final === rieul)) return word;
  return stem;
}
