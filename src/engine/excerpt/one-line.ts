import { stripInvisible } from '../../text/line/invisible.ts';
import type { Stretch } from './sentences.ts';

/** White space, with the sign of the list item that begins after a line end. */
const gap = /\s+(?:(?<=\n[^\S\n]*)[-–—*•‣▪◦](?=[^\S\n])\s*)?/gu;
const control = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}]/gu;
const bullet = /[-–—*•‣▪◦]/u;
/** After one of these the next line reads on without a sign between them. */
const readsOn = /[\p{Po}\p{Pd}]["'”’»)\]」』）]*$/u;
/** A shorter line did not end for want of room. */
const shortestWrapped = 40;

/**
 * A stretch of a text as one line of plain text: white space and controls become one space, and where lines or cells
 * meet that do not read on, ` · ` stands between them. Well-formed, whatever the text.
 */
export function oneLine(text: string, { start, end }: Stretch): string {
  const seen = stripInvisible(text.slice(start, end).toWellFormed().replace(control, ' '));
  const raw = seen.replace(/^\s*[-–—*•‣▪◦]\s+/u, '').trim();
  return raw.replace(gap, (found, at: number) => {
    if (!/[\n\t]/.test(found) || readsOn.test(raw.slice(Math.max(0, at - 4), at))) return ' ';
    const isWrapped = at - raw.lastIndexOf('\n', at - 1) > shortestWrapped && !bullet.test(found);
    return isWrapped && /^\p{Ll}/u.test(raw.slice(at + found.length, at + found.length + 2)) ? ' ' : ' · ';
  });
}
