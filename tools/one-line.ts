/**
 * A title or a snippet on one line, so that text from a page cannot pass for a second result: white space, line
 * separators and control characters become single spaces.
 */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
