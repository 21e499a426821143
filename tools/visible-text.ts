import { stripInvisible } from '../src/text/line/invisible.ts';

/**
 * The text of a page without invisible characters: control, bidirectional, zero-width and tag characters. All line
 * separators become line feeds; tabs are kept. Well-formed. Offsets of the tools refer to this text.
 */
export function visibleText(body: string): string {
  return stripInvisible(body.toWellFormed().replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n'));
}
