import { createHash } from 'node:crypto';

export const mistakes = ['swapped', 'left out', 'added', 'replaced', 'doubled'] as const;
export type Mistake = (typeof mistakes)[number];

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Numbers from 0 to below 2^32 that a text decides, one for each name. */
export function numberFrom(text: string, name: string): number {
  return createHash('sha256').update(`${name}\n${text}`).digest().readUInt32BE(0);
}

/**
 * The word with one mistake at a place that its hash chooses, the first letter too; undefined where that changes
 * nothing. Letters are drawn alike from a to z: people hit keys nearby, so real mistakes are easier.
 */
export function misspell(word: string, mistake: Mistake): string | undefined {
  const at = numberFrom(word, `place ${mistake}`) % word.length;
  const letter = letters.charAt(numberFrom(word, `letter ${mistake}`) % letters.length);
  const [before, here, next, after] = [
    word.slice(0, at),
    word.charAt(at),
    word.charAt(at + 1),
    word.slice(at + 1),
  ];
  const made = {
    swapped: `${before}${next}${here}${after.slice(1)}`,
    'left out': before + after,
    added: before + letter + here + after,
    replaced: before + letter + after,
    doubled: before + here + here + after,
  }[mistake];
  return made === word ? undefined : made;
}
