/**
 * Whether a whole text matches a pattern: `*` stands for any characters, `/` included, and `?` for any one character.
 * The time is at most proportional to the product of both lengths.
 */
export function globMatches(pattern: string, text: string): boolean {
  let [textIndex, patternIndex] = [0, 0];
  let star = -1;
  let retryAt = 0;
  while (textIndex < text.length) {
    const symbol = pattern[patternIndex];
    if (symbol === '*') {
      star = patternIndex++;
      retryAt = textIndex;
    } else if (symbol !== undefined && (symbol === '?' || symbol === text[textIndex])) {
      patternIndex++;
      textIndex++;
    } else if (star >= 0) {
      // Backtrack: the last star takes one more character.
      patternIndex = star + 1;
      textIndex = ++retryAt;
    } else return false;
  }
  while (pattern[patternIndex] === '*') patternIndex++;
  return patternIndex === pattern.length;
}
