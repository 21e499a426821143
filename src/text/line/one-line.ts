import { stripInvisible } from './invisible.ts';

/** Half of a surrogate pair. */
const loneSurrogate = /\p{Cs}/gu;
/** White space with all line separators of Unicode; `\s` lacks NEL. */
const whiteSpace = /[\s\u0085]+/g;

/**
 * Text of none but letters, signs and spaces that every step below leaves as they are: nearly all there is, and seen at
 * once. It has no no-break space, no soft hyphen, no mark and nothing that is invisible.
 */
const plain =
  /^[\t\n\f\r -~\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0482\u2010-\u2027\u3001-\u30ff\u4e00-\u9fff]*$/;
/** All runs but a single space, which is one already. */
const plainSpace = /[\t\n\f\r][\t\n\f\r ]*| [\t\n\f\r ]+/g;

/**
 * Text as one line, so that text of a page cannot imitate a second result: white space and line separators become single
 * spaces, and invisible characters, such as controls and joiners without effect, are dropped. Well-formed.
 */
export function oneLine(text: string): string {
  if (plain.test(text)) return text.replace(plainSpace, ' ').trim();
  const line = stripInvisible(text.replace(loneSurrogate, '').replace(whiteSpace, ' '));
  return line.replace(/ {2,}/g, ' ').trim();
}
