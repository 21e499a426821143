import { cutBefore } from '../src/engine/excerpt/text-boundaries.ts';
import { stripInvisible } from '../src/text/line/invisible.ts';

/**
 * A title or a snippet on one line, so that text from a page cannot pass for a second result: white space, line
 * separators and control characters become single spaces, and what no reader sees is left out. Well-formed.
 */
export function oneLine(text: string): string {
  const line = stripInvisible(text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' '));
  return line.replace(/\s+/g, ' ').trim();
}

/** At most `most` UTF-16 units of a line, with ` …` in the place of what is left out: between words, or ideographs. */
export function shortened(line: string, most: number): string {
  if (line.length <= most) return line;
  const end = cutBefore(line, most - 2, 0);
  // A word that is longer than the room is cut between two code points.
  const cut = end <= most - 2 ? line.slice(0, end) : line.slice(0, most - 2).replace(/[\ud800-\udbff]$/, '');
  return `${cut.trimEnd()} …`;
}
