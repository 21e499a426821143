import { maxNameLength, nameOf } from './name-parts.ts';
import type { Stretch } from './sentences.ts';

/** Maximum length of a line that is examined: enough for a name and what follows it. */
export const maxLookLength = 2 * maxNameLength;

/** A line of a body that begins with a name, such as `fs.readFile(path)` or `--follow`, in UTF-16 offsets. */
export interface NameLine {
  /** Where the line begins. */
  readonly start: number;
  readonly nameEnd: number;
}

/** No term of an index ends in one of these. */
const endsNoTerm = /[.!?,;:)\]}"”»。！？、，：；）」』…\s]/;

/**
 * The end of the name that a line of a text begins with; undefined if the line begins with none that can be found: it is
 * too long, ends in a sign, or belongs to a sentence that mentions the name.
 */
function nameEndIn(text: string, { start, end }: Stretch): number | undefined {
  const line = text.slice(start, Math.min(end, start + maxLookLength));
  const name = nameOf(line);
  if (name.end === name.start || name.end > maxNameLength) return undefined;
  if (endsNoTerm.test(line.charAt(name.end - 1)) || !endsName(line, name.end)) return undefined;
  return isSentence(line, name.end) ? undefined : start + name.end;
}

/** Where the line of a text begins whose name ends at an offset; undefined if no name ends there. */
export function nameLineEndingIn(text: string, nameEnd: number): number | undefined {
  if (!endsName(text, nameEnd)) return undefined;
  const from = Math.max(0, nameEnd - maxNameLength - 1);
  const start = from + text.slice(from, nameEnd).lastIndexOf('\n') + 1;
  if (start === from && from > 0) return undefined;
  const [line = ''] = text.slice(start, start + maxLookLength).split('\n', 1);
  return nameEndIn(text, { start, end: start + line.length }) === nameEnd ? start : undefined;
}

/** All name lines of a text in order, in one pass. */
export function* nameLinesOf(text: string): Generator<NameLine> {
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    const nameEnd = nameEndIn(text, { start, end });
    if (nameEnd !== undefined) yield { start, nameEnd };
    start = end + 1;
  }
}

/** Whether a name with parameters is part of a sentence: `Call create_task(coro) for it.` */
function isSentence(line: string, nameEnd: number): boolean {
  return /^ ?[([<={]/.test(line.slice(nameEnd, nameEnd + 2)) && /[.!?。！？]$/.test(line);
}

/** Whether a name may end at an offset. Most words inside sentences fail by what follows them. */
function endsName(text: string, end: number): boolean {
  const next = text.charAt(end);
  if (next === ' ') return '([<={—–-'.includes(text.charAt(end + 1) || 'x');
  return next === '' || '\n\t([<={:'.includes(next);
}
