import { foldWord } from './fold.ts';

/** For a character of an index term all characters of texts in normal form that fold to it, itself included. */
export interface LetterForms {
  of(character: string): readonly string[];
}

/** In texts of ASCII alone: a letter stands for itself and for its capital. */
export const asciiForms: LetterForms = {
  of: (character) => (/[a-z]/.test(character) ? [character, character.toUpperCase()] : [character]),
};

/** Where in the basic plane the alphabets are whose letters have capitals or accents. */
const alphabets = [
  [0x80, 0x3000],
  [0xa640, 0xac00],
] as const;

/** What `foldWord` changes: capitals, letters of the alphabets whose accents it takes, two connectors. */
const folding = /[\p{Lu}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u2010\u2019]/gu;

function buildForms(): LetterForms {
  const forms = new Map<string, string[]>();
  const characters = alphabets.map(([first, end]) =>
    String.fromCharCode(...Array.from({ length: end - first }, (_, place) => first + place)),
  );
  for (const [character] of characters.join('').matchAll(folding)) {
    const folded = foldWord(character);
    if (/[a-z]/.test(folded) || folded === character) continue;
    forms.set(folded, [...(forms.get(folded) ?? [folded]), character]);
  }
  return { of: (character) => forms.get(character) ?? asciiForms.of(character) };
}

let allForms: LetterForms | undefined;

/**
 * In any text: also the other letters of Greek, Cyrillic and the like; not the accented Latin letters, which are
 * too many for a pattern. Made at the first call (some milliseconds).
 */
export function letterForms(): LetterForms {
  allForms ??= buildForms();
  return allForms;
}
