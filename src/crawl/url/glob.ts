/**
 * Whether a text matches a pattern as a whole: `*` stands for any characters, `/` included, and `?` for any one. Takes
 * time in proportion to both lengths multiplied, whatever the pattern.
 */
export function globMatches(pattern: string, text: string): boolean {
  let [at, place] = [0, 0];
  let star = -1;
  let retryAt = 0;
  while (at < text.length) {
    const symbol = pattern[place];
    if (symbol === '*') {
      star = place++;
      retryAt = at;
    } else if (symbol !== undefined && (symbol === '?' || symbol === text[at])) {
      place++;
      at++;
    } else if (star >= 0) {
      // Let the last star take one character more.
      place = star + 1;
      at = ++retryAt;
    } else return false;
  }
  while (pattern[place] === '*') place++;
  return place === pattern.length;
}
