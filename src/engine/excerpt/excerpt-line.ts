import { stripInvisible } from '../../text/line/invisible.ts';
import type { TextSource } from '../../text/line/text-source.ts';
import type { Stretch } from '../../text/passages/sentences.ts';

/** White space other than a single space, with the sign of the list item that begins after a line end. */
const gap = /(?:[^\S ]\s*| \s+)(?:(?<=\n[^\S\n]*)[-–—*•‣▪◦](?=[^\S\n])\s*)?/gu;
const control = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}]/gu;
const bullet = /[-–—*•‣▪◦]/u;
/** After one of these the next line reads on without a sign between them. */
const readsOn = /[\p{Po}\p{Pd}]["'”’»)\]」』）]*$/u;
/** A shorter line did not end for want of room. */
const minWrappedLength = 40;

/**
 * A stretch of a text as one line of plain text: white space and controls become one space, and where lines or cells
 * meet that do not read on, ` · ` stands between them. Well-formed, whatever the text.
 */
export function excerptLine(text: TextSource, { start, end }: Stretch): string {
  const seen = visible(text.slice(start, end));
  const raw = seen.replace(/^\s*[-–—*•‣▪◦]\s+/u, '').trim();
  return raw.replace(gap, (whitespace, offset: number) => {
    if (!/[\n\t]/.test(whitespace) || readsOn.test(raw.slice(Math.max(0, offset - 4), offset))) return ' ';
    const isWrapped =
      offset - raw.lastIndexOf('\n', offset - 1) > minWrappedLength && !bullet.test(whitespace);
    return isWrapped && /^\p{Ll}/u.test(raw.slice(offset + whitespace.length, offset + whitespace.length + 2))
      ? ' '
      : ' · ';
  });
}

function visible(text: string): string {
  if (/^[\t\n -~]*$/.test(text)) return text;
  return stripInvisible(text.toWellFormed().replace(control, ' '));
}
