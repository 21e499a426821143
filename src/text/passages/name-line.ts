import { dashesAfterName, maxNameLength, nameOf, partNames } from './name-parts.ts';
import { classesAt, type ScannedText, skipSpace } from './scanned-text.ts';
import type { Stretch } from './sentences.ts';
import * as is from './unit-classes.ts';

/** Maximum length of a line that is examined: enough for a name and what follows it. */
export const maxLookLength = 2 * maxNameLength;

const space = 0x20;
const hyphen = 0x2d;
const dot = 0x2e;
const colon = 0x3a;
/** The units that names of parts begin with, in small letters and in capitals. */
const partInitials = new Set(
  partNames.flatMap((name) => [name, name.toUpperCase()].map((each) => each.charCodeAt(0))),
);
const partLengths = new Set(partNames.map(({ length }) => length));

/** No term of an index ends in one of these. */
const notInTerms = '.!?,;:)]}"”»。！？、，：；）」』…';
/** What parameters, values and the like begin with. */
const openings = '([<={';
const afterNames = `\n\t:${openings}`;
const afterSpaces = `—–-${openings}`;

/**
 * The end of the name that a line of a text begins with; undefined if the line begins with none that can be found: it is
 * too long, ends in a sign, or belongs to a sentence that mentions the name.
 */
function nameEndIn(text: string, { start, end }: Stretch): number | undefined {
  const lookEnd = Math.min(end, start + maxLookLength);
  const name = nameOf(text.slice(start, lookEnd));
  if (name.end === name.start || name.end > maxNameLength) return undefined;
  const nameEnd = start + name.end;
  return isNameEnd(text, nameEnd, lookEnd) ? nameEnd : undefined;
}

/** Whether the name that ends at an offset, in a line that is examined up to `lookEnd`, can be found. */
function isNameEnd(text: string, nameEnd: number, lookEnd: number): boolean {
  if (notInTerms.includes(text.charAt(nameEnd - 1)) || !endsName(text, nameEnd)) return false;
  return !isSentence(text, nameEnd, lookEnd);
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

/**
 * As `nameEndIn`, for lines read from their units. A line that may begin with a number or with the name of a part is
 * left to the expressions.
 */
export function scanNameEnd(scanned: ScannedText, from: number, end: number): number | undefined {
  const { text, units, classes } = scanned;
  const lookEnd = Math.min(end, from + maxLookLength);
  const maxEnd = from + maxNameLength;
  let start = skipSpace(scanned, from, lookEnd);
  if (units[start] === hyphen && units[start + 1] === space && start + 1 < lookEnd) start += 2;
  let nameEnd = start;
  let hasSpace = false;
  for (let offset = start; offset < lookEnd; offset++) {
    const found = (classes[units[offset] as number] as number) & (is.whiteSpace | is.nameSign);
    if (found === 0) {
      if (offset >= maxEnd) return undefined;
      nameEnd = offset + 1;
      continue;
    }
    const isSpace = (found & is.whiteSpace) !== 0;
    if (isSpace && !hasSpace && mayBeNumbering(scanned, start, offset))
      return nameEndIn(text, { start: from, end });
    hasSpace ||= isSpace;
    if (beginsAfterName(scanned, offset, lookEnd)) break;
    if (isSpace) continue;
    if (offset >= maxEnd) return undefined;
    nameEnd = offset + 1;
  }
  return nameEnd > start && isNameEnd(text, nameEnd, lookEnd) ? nameEnd : undefined;
}

/** Whether `numbering` may match more than what `scanNameEnd` skips, if the first word of a line ends at an offset. */
function mayBeNumbering({ units }: ScannedText, start: number, end: number): boolean {
  if (units[end - 1] === dot) return true;
  return partInitials.has(units[start] as number) && partLengths.has(end - start);
}

/** Whether `afterName` matches at an offset of a line that has white space or a sign there. */
function beginsAfterName(scanned: ScannedText, offset: number, end: number): boolean {
  const { units } = scanned;
  const unit = units[offset] as number;
  if (unit === colon) return offset + 1 === end || isSpaceAt(scanned, offset + 1, end);
  if ((classesAt(scanned, offset) & is.nameSign) !== 0) return true;
  // Few words have one letter, so this is asked first.
  return isSpaceAt(scanned, offset + 2, end) && dashesAfterName.includes(scanned.text.charAt(offset + 1));
}

function isSpaceAt(scanned: ScannedText, offset: number, end: number): boolean {
  return offset < end && (classesAt(scanned, offset) & is.whiteSpace) !== 0;
}

/** Whether a name with parameters is part of a sentence: `Call create_task(coro) for it.` */
function isSentence(text: string, nameEnd: number, lineEnd: number): boolean {
  const opening = text.charAt(nameEnd) === ' ' ? nameEnd + 1 : nameEnd;
  if (opening >= text.length || !openings.includes(text.charAt(opening))) return false;
  return '.!?。！？'.includes(text.charAt(lineEnd - 1));
}

/** Whether a name may end at an offset. Most words inside sentences fail by what follows them. */
function endsName(text: string, end: number): boolean {
  const next = text.charAt(end);
  if (next === ' ') return end + 1 < text.length && afterSpaces.includes(text.charAt(end + 1));
  return next === '' || afterNames.includes(next);
}
