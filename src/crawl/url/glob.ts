/**
 * Whether a text matches a pattern as a whole: `*` stands for any characters, `/` included, and `?` for any one. Takes
 * time in proportion to both lengths multiplied, whatever the pattern.
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
      // Let the last star take one character more.
      patternIndex = star + 1;
      textIndex = ++retryAt;
    } else return false;
  }
  while (pattern[patternIndex] === '*') patternIndex++;
  return patternIndex === pattern.length;
}
