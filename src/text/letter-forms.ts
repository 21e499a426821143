import { foldWord } from './fold.ts';

/** How the UTF-16 units of a text in normal form and without marks fold, each by itself. */
export interface LetterForms {
  /** For each unit the one it folds to, or `foldsToMany`. */
  readonly folded: Uint16Array;
  /** All units that fold to one, itself included. */
  of(unit: number): readonly number[];
  /** Those that fold to more than one unit, such as ß. */
  readonly many: readonly number[];
}

/** No character. */
export const foldsToMany = 0xffff;

/** Where in the basic plane the alphabets are whose letters have capitals or accents. */
const alphabets = [
  [0, 0x3000],
  [0xa640, 0xac00],
] as const;

/** What `foldWord` changes: capitals, letters of the alphabets whose accents it takes, two connectors. */
const folding = /[\p{Lu}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u2010\u2019]/gu;

function buildForms(): LetterForms {
  const folded = Uint16Array.from({ length: 0x10000 }, (_, unit) => unit);
  const forms = new Map<number, number[]>();
  const many: number[] = [];
  const characters = alphabets.map(([first, end]) =>
    String.fromCharCode(...Array.from({ length: end - first }, (_, index) => first + index)),
  );
  for (const [character] of characters.join('').matchAll(folding)) {
    const unit = character.charCodeAt(0);
    const form = foldWord(character);
    folded[unit] = form.length === 1 ? form.charCodeAt(0) : foldsToMany;
    if (form.length !== 1) many.push(unit);
    else if (form !== character) {
      const one = form.charCodeAt(0);
      forms.set(one, [...(forms.get(one) ?? [one]), unit]);
    }
  }
  return { folded, of: (unit) => forms.get(unit) ?? [unit], many };
}

let allForms: LetterForms | undefined;

/** Made at the first call (some milliseconds), 128 KB. */
export function letterForms(): LetterForms {
  allForms ??= buildForms();
  return allForms;
}
