import { createHash } from 'node:crypto';

const letters = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The word with one mistake that its hash chooses: two letters exchanged, one left out, one too many, or another one.
 * The first letter stays, as it does in most real mistakes.
 */
export function misspell(word: string): string {
  const [rule = 0, where = 0, which = 0] = createHash('sha1').update(word).digest();
  const at = 1 + (where % (word.length - 1));
  const letter = letters[which % letters.length] ?? 'x';
  const [before, here, after] = [word.slice(0, at), word.slice(at, at + 1), word.slice(at + 1)];
  if (rule % 4 === 0) return at + 1 < word.length ? before + after[0] + here + after.slice(1) : before;
  if (rule % 4 === 1) return before + after;
  if (rule % 4 === 2) return before + letter + here + after;
  return before + letter + after;
}
