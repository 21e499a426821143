import { createUnitsOf } from '../tokenizer.ts';
import * as is from './unit-classes.ts';

/** A text with its UTF-16 units, after which zeros follow, and with their classes. Reading units makes no strings. */
export interface ScannedText {
  readonly text: string;
  readonly units: Uint16Array;
  readonly classes: Uint16Array;
}

/** Returns a function that scans one text after the other. Each call overwrites the units of the text before. */
export function createTextScanner(): (text: string) => ScannedText {
  const unitsOf = createUnitsOf();
  return (text) => ({ text, units: unitsOf(text), classes: is.unitClasses() });
}

/** The classes of the unit at an offset. */
export function classesAt({ units, classes }: ScannedText, offset: number): number {
  return classes[units[offset] as number] as number;
}

/** Whether a small letter begins at an offset; it must end before `end`. */
export function isSmallLetterAt(scanned: ScannedText, offset: number, end: number): boolean {
  if (!is.isSurrogate(scanned.units[offset] as number))
    return (classesAt(scanned, offset) & is.smallLetter) !== 0;
  return /^\p{Ll}/u.test(scanned.text.slice(offset, Math.min(offset + 2, end)));
}

/** The first offset from which no white space begins; `end` if there is none before. */
export function skipSpace(scanned: ScannedText, start: number, end: number): number {
  let offset = start;
  while (offset < end && (classesAt(scanned, offset) & is.whiteSpace) !== 0) offset++;
  return offset;
}

/** As `skipSpace`, from the end of a stretch back to its start. */
export function skipSpaceBack(scanned: ScannedText, start: number, end: number): number {
  let offset = end;
  while (offset > start && (classesAt(scanned, offset - 1) & is.whiteSpace) !== 0) offset--;
  return offset;
}
