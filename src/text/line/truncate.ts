import { cutBefore } from './text-boundaries.ts';

/** At most `maxLength` UTF-16 units of a line. A longer one is cut between words or ideographs, and ends in ` …`. */
export function truncate(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line;
  const room = maxLength - 2;
  const end = cutBefore(line, room, 0);
  // A word that is longer than the room is cut between two code points.
  const text = end <= room ? line.slice(0, end) : line.slice(0, room).replace(/[\ud800-\udbff]$/, '');
  return `${text.trimEnd()} …`;
}
