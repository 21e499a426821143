import { limitLength } from './limit-length.ts';
import { cutBefore } from './text-boundaries.ts';

/**
 * At most `maxLength` UTF-16 units of a line. A longer one is cut between words or ideographs, and ends in `mark`, which
 * counts; pass an empty one for text that is stored.
 */
export function truncate(line: string, maxLength: number, mark = ' …'): string {
  if (line.length <= maxLength) return line;
  const room = maxLength - mark.length;
  const end = cutBefore(line, room, 0);
  // A word that is longer than the room is cut between two code points.
  return `${limitLength(line, Math.min(end, room)).trimEnd()}${mark}`;
}
