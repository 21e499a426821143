import type { ParagraphKind } from './paragraphs.ts';
import type { ScannedText } from './scanned-text.ts';
import { classesAt, isSmallLetterAt, skipSpace, skipSpaceBack } from './scanned-text.ts';
import { codeOf, firstFlag, letterCount, lettersOfIdeograph, plenty } from './sentence-code.ts';
import { endsAbbreviation, maxEndLength, maxGapLength, type Stretch } from './sentences.ts';
import type { StretchLog } from './stretch-log.ts';
import * as is from './unit-classes.ts';

const dot = 0x2e;

/** Adds the sentences of a paragraph, as `sentencesOf` and `sentenceCode` give them, the first one with `firstFlag`. */
export function scanSentences(
  scanned: ScannedText,
  { start, end }: Stretch,
  kind: ParagraphKind,
  into: StretchLog,
): void {
  const { units, classes } = scanned;
  const before = into.size;
  let from = start;
  const add = (to: number): void => {
    const first = skipSpace(scanned, from, to);
    const last = skipSpaceBack(scanned, first, to);
    from = to;
    if (first === last) return;
    const code = codeOf(kind, countLetters(scanned, first, last), endsWithStop(scanned, last));
    into.add(first, last, into.size === before ? code | firstFlag : code);
  };
  for (let offset = start; offset < end; ) {
    const stop = (classes[units[offset] as number] as number) & is.anyStop;
    if (stop === 0) {
      offset++;
      continue;
    }
    const last = stop === is.singleStop ? offset + 1 : runEnd(scanned, offset, end, stop);
    const to = runEnd(scanned, last, end, stop === is.wideStop ? is.wideCloser : is.closer);
    const counts = stop === is.wideStop || (to < end && (classesAt(scanned, to) & is.whiteSpace) !== 0);
    if (counts && !(stop === is.stop && goesOn(scanned, from, offset, to, end))) add(to);
    offset = counts ? to : last;
  }
  add(end);
}

/** The end of a run of units of a class. */
function runEnd(scanned: ScannedText, start: number, end: number, bit: number): number {
  let offset = start;
  while (offset < end && (classesAt(scanned, offset) & bit) !== 0) offset++;
  return offset;
}

/** Whether the sentence that begins at `from` continues after the stop at an offset; what follows is between `to` and `end`. */
function goesOn(scanned: ScannedText, from: number, offset: number, to: number, end: number): boolean {
  const limit = Math.min(end, to + maxGapLength);
  const next = skipSpace(scanned, to, limit);
  if (next < limit && isSmallLetterAt(scanned, next, limit)) return true;
  const { text, units } = scanned;
  return units[offset] === dot && units[offset + 1] !== dot && endsAbbreviation(text, from, offset);
}

/** As `endsSentence`: whether what ends at an offset ends as sentences do. */
export function endsWithStop(scanned: ScannedText, end: number): boolean {
  const first = Math.max(0, end - maxEndLength);
  for (let offset = end - 1; offset >= first; offset--) {
    const found = classesAt(scanned, offset);
    if ((found & is.anyStop) !== 0) return true;
    if ((found & (is.closer | is.wideCloser)) === 0) return false;
  }
  return false;
}

/** As `letterCount`. */
function countLetters(scanned: ScannedText, start: number, end: number): number {
  const { text, units, classes } = scanned;
  if (end - start >= plenty) return plenty;
  let letters = end - start;
  for (let offset = start; offset < end; offset++) {
    const unit = units[offset] as number;
    if (is.isSurrogate(unit)) return letterCount(text, start, end);
    if (((classes[unit] as number) & is.ideograph) !== 0) letters += lettersOfIdeograph;
  }
  return letters;
}
