import type { ParagraphKind } from './paragraphs.ts';
import type { ScannedText } from './scanned-text.ts';
import { classesAt, isSmallLetterAt, skipSpace, skipSpaceBack } from './scanned-text.ts';
import { codeOf, letterCount, lettersOfIdeograph, plenty } from './sentence-code.ts';
import type { SentenceMark } from './sentence-table.ts';
import { endsAbbreviation, maxEndLength, maxGapLength, type Stretch } from './sentences.ts';
import * as is from './unit-classes.ts';

const dot = 0x2e;

/** Adds the sentences of a paragraph, as `sentencesOf` and `sentenceCode` give them. */
export function scanSentences(
  scanned: ScannedText,
  { start, end }: Stretch,
  kind: ParagraphKind,
  into: SentenceMark[],
): void {
  const { units, classes } = scanned;
  const before = into.length;
  let from = start;
  const add = (to: number): void => {
    const first = skipSpace(scanned, from, to);
    const last = skipSpaceBack(scanned, first, to);
    from = to;
    if (first === last) return;
    const code = codeOf(kind, countLetters(scanned, first, last), endsWithStop(scanned, last));
    into.push({ start: first, end: last, code, isFirst: into.length === before });
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
    if (counts && !(stop === is.stop && goesOn(scanned, from, offset, { start: to, end }))) add(to);
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

/** Whether the sentence that begins at `from` continues after the stop at an offset; `rest` is what follows. */
function goesOn(scanned: ScannedText, from: number, offset: number, rest: Stretch): boolean {
  const limit = Math.min(rest.end, rest.start + maxGapLength);
  const next = skipSpace(scanned, rest.start, limit);
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
