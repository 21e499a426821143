import { foldWord } from './fold.ts';

/** How each UTF-16 unit folds in a text that is in normal form and has no marks. */
export interface LetterForms {
  /** By unit: the unit that it folds to, or `foldsToMany`. */
  readonly folded: Uint16Array;
  /** All units that fold to this one, itself included. */
  of(unit: number): readonly number[];
  /** Units that fold to more than one unit, such as ß. */
  readonly many: readonly number[];
}

/** Not a character. */
export const foldsToMany = 0xffff;

/** Ranges of the basic plane with the alphabets that have capitals or accents. */
const alphabets = [
  [0, 0x3000],
  [0xa640, 0xac00],
] as const;

/** Characters that `foldWord` may change: capitals, letters of alphabets whose accents it removes, two connectors. */
const folding = /[\p{Lu}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\u2010\u2019]/gu;

function buildForms(): LetterForms {
  const folded = new Uint16Array(0x10000);
  for (let unit = 0; unit < folded.length; unit++) folded[unit] = unit;
  const forms = new Map<number, number[]>();
  const many: number[] = [];
  const text = alphabets.map(([first, end]) => String.fromCharCode(...folded.subarray(first, end))).join('');
  const characters = text.match(folding) ?? [];
  // All at once: a line break neither folds nor changes what is next to it.
  const foldedCharacters = foldWord(characters.join('\n')).split('\n');
  for (const [index, character] of characters.entries()) {
    const form = foldedCharacters[index] as string;
    if (form === character) continue;
    const unit = character.charCodeAt(0);
    const one = form.charCodeAt(0);
    folded[unit] = form.length === 1 ? one : foldsToMany;
    if (form.length !== 1) many.push(unit);
    else forms.set(one, [...(forms.get(one) ?? [one]), unit]);
  }
  return { folded, of: (unit) => forms.get(unit) ?? [unit], many };
}

let allForms: LetterForms | undefined;

/** 128 KB, built at the first call (some milliseconds). */
export function letterForms(): LetterForms {
  allForms ??= buildForms();
  return allForms;
}
