import { stripInvisible } from '../src/text/line/invisible.ts';

/**
 * The text of a page without what no reader sees: control, bidirectional, zero-width and tag characters. Lines stay
 * lines, whichever character ended them; tabs stay. Well-formed. Offsets of the tools are into this text.
 */
export function visibleText(body: string): string {
  return stripInvisible(body.toWellFormed().replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n'));
}
