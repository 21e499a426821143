import { HeadingKinds } from './heading-kinds.ts';
import { scanNameEnd } from './name-line.ts';
import { bulletSigns, minWrappedLength, type ParagraphKind, type ParagraphSource } from './paragraphs.ts';
import { endsWithStop, scanSentences } from './scan-sentences.ts';
import {
  classesAt,
  createTextScanner,
  isSmallLetterAt,
  type ScannedText,
  skipSpace,
  skipSpaceBack,
} from './scanned-text.ts';
import { StretchLog } from './stretch-log.ts';
import * as is from './unit-classes.ts';

/** What an index keeps of a body, so that passages of it can be chosen without its text. Offsets are UTF-16 units. */
export interface PassageMarks {
  /** Each with its code, and `firstFlag` if it begins its paragraph. */
  readonly sentences: StretchLog;
  /** The lines that begin with a name, from the start of the line to the end of the name; their codes are 0. */
  readonly nameLines: StretchLog;
}

const scan = createTextScanner();
const headingKinds = new HeadingKinds();
const sentences = new StretchLog();
const nameLines = new StretchLog();

/**
 * All sentences and name lines of a body, in time that is linear in its length: those that `createSentenceTable` and
 * `nameLineEndingIn` find, read from its units, without strings or expressions for most lines. Each call overwrites the
 * marks of the body before.
 */
export function passageMarks(source: ParagraphSource): PassageMarks {
  const { body } = source;
  const scanned = scan(body);
  headingKinds.read(source);
  sentences.clear();
  nameLines.clear();
  let tab = body.indexOf('\t');

  function kindOf(start: number, end: number, isItem: boolean): ParagraphKind {
    const kind = headingKinds.kindOf(scanned, start, end);
    if (kind !== undefined) return kind;
    if (isItem) return 'item';
    if (tab >= 0 && tab < start) tab = body.indexOf('\t', start);
    return tab >= start && tab < end ? 'row' : 'text';
  }

  function addParagraph(lineStart: number, lineEnd: number): void {
    const start = skipSpace(scanned, lineStart, lineEnd);
    const end = skipSpaceBack(scanned, start, lineEnd);
    if (start === end) return;
    const isItem = isBulletAt(scanned, start, end);
    const first = isItem ? skipSpace(scanned, start + 1, end) : start;
    scanSentences(scanned, { start: first, end }, kindOf(first, end, isItem), sentences);
  }

  let paragraph = 0;
  for (let line = 0; line < body.length; ) {
    const next = body.indexOf('\n', line);
    const end = next < 0 ? body.length : next;
    const nameEnd = scanNameEnd(scanned, { start: line, end });
    if (nameEnd !== undefined) nameLines.add(line, nameEnd, 0);
    if (!isWrapped(scanned, line, end)) {
      addParagraph(paragraph, end);
      paragraph = end + 1;
    }
    line = end + 1;
  }
  return { sentences, nameLines };
}

/** Whether a stretch begins with the bullet of a list item. */
function isBulletAt(scanned: ScannedText, start: number, end: number): boolean {
  if (start + 1 === end || (classesAt(scanned, start + 1) & is.whiteSpace) === 0) return false;
  return bulletSigns.includes(scanned.text.charAt(start));
}

/** Whether a line continues in the next, if there is one. */
function isWrapped(scanned: ScannedText, start: number, end: number): boolean {
  const { text } = scanned;
  if (end - start < minWrappedLength || end === text.length || endsWithStop(scanned, end)) return false;
  return isSmallLetterAt(scanned, end + 1, text.length);
}
