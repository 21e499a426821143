import { stripInvisible } from './invisible.ts';

/** Half of a surrogate pair. */
const loneSurrogate = /\p{Cs}/gu;
/** White space with all line separators of Unicode; `\s` lacks NEL. */
const whiteSpace = /[\s\u0085]+/g;

/**
 * Text as one line, so that text of a page cannot imitate a second result: white space and line separators become single
 * spaces, and invisible characters, such as controls and joiners without effect, are dropped. Well-formed.
 */
export function oneLine(text: string): string {
  const line = stripInvisible(text.replace(loneSurrogate, '').replace(whiteSpace, ' '));
  return line.replace(/ {2,}/g, ' ').trim();
}
