import type { ParagraphKind } from './paragraphs.ts';
import type { ScannedText } from './scanned-text.ts';
import { classesAt, isSmallLetterAt, skipSpace, skipSpaceBack } from './scanned-text.ts';
import { codeOf, firstFlag, letterCount, lettersOfIdeograph, plenty } from './sentence-code.ts';
import { endsAbbreviation, maxEndLength, maxGapLength } from './sentences.ts';
import type { StretchLog } from './stretch-log.ts';
import * as is from './unit-classes.ts';

const dot = 0x2e;

/** Logs the sentences of paragraphs, as `sentencesOf` and `sentenceCode` give them, with `firstFlag` on each first one. */
export class SentenceScanner {
  private readonly log: StretchLog;
  private kind: ParagraphKind = 'text';
  /** `firstFlag` until the paragraph has a sentence. */
  private flag = 0;

  constructor(log: StretchLog) {
    this.log = log;
  }

  /** Logs the sentences of the paragraph between two offsets. */
  scan(scanned: ScannedText, start: number, end: number, kind: ParagraphKind): void {
    this.kind = kind;
    this.flag = firstFlag;
    const { units, classes } = scanned;
    let from = start;
    let seen = 0;
    for (let offset = start; offset < end; ) {
      const found = classes[units[offset] as number] as number;
      seen |= found;
      const stop = found & is.anyStop;
      if (stop === 0) {
        offset++;
        continue;
      }
      const last = stop === is.singleStop ? offset + 1 : runEnd(scanned, offset, end, stop);
      const to = runEnd(scanned, last, end, stop === is.wideStop ? is.wideCloser : is.closer);
      const counts = stop === is.wideStop || (to < end && (classesAt(scanned, to) & is.whiteSpace) !== 0);
      if (counts && !(stop === is.stop && goesOn(scanned, from, offset, to, end))) {
        this.add(scanned, from, to, seen);
        from = to;
        seen = 0;
      }
      offset = counts ? to : last;
    }
    this.add(scanned, from, end, seen);
  }

  /** Logs the sentence between two offsets without the white space at its ends. `seen` has the classes of its units. */
  private add(scanned: ScannedText, from: number, to: number, seen: number): void {
    const start = skipSpace(scanned, from, to);
    const end = skipSpaceBack(scanned, start, to);
    if (start === end) return;
    const letters = countLetters(scanned, start, end, seen);
    this.log.add(start, end, codeOf(this.kind, letters, endsWithStop(scanned, end)) | this.flag);
    this.flag = 0;
  }
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

/** As `letterCount`, of units of which all classes are in `seen`. */
function countLetters(scanned: ScannedText, start: number, end: number, seen: number): number {
  const { text, units, classes } = scanned;
  if ((seen & is.half) !== 0) return letterCount(text, start, end);
  let letters = end - start;
  if ((seen & is.ideograph) === 0 || letters >= plenty) return letters;
  for (let offset = start; offset < end; offset++)
    if (((classes[units[offset] as number] as number) & is.ideograph) !== 0) letters += lettersOfIdeograph;
  return letters;
}
