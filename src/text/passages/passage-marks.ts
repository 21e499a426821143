import { HeadingKinds } from './heading-kinds.ts';
import { scanNameEnd } from './name-line.ts';
import { bulletSigns, minWrappedLength, type ParagraphKind, type ParagraphSource } from './paragraphs.ts';
import {
  classesAt,
  createTextScanner,
  isSmallLetterAt,
  type ScannedText,
  skipSpace,
  skipSpaceBack,
} from './scanned-text.ts';
import { endsWithStop, SentenceScanner } from './sentence-scanner.ts';
import { StretchLog } from './stretch-log.ts';
import * as is from './unit-classes.ts';

/** What an index keeps of a body, so that passages of it can be chosen without its text. Offsets are UTF-16 units. */
export interface PassageMarks {
  /** Each with its code, and `firstFlag` if it begins its paragraph. */
  readonly sentences: StretchLog;
  /**
   * The lines that begin with a name, such as `fs.readFile(path)` or `--follow`, from the start of the line to the end of
   * the name; their codes are 0.
   */
  readonly nameLines: StretchLog;
}

const scan = createTextScanner();
const sentences = new StretchLog();
const nameLines = new StretchLog();
const headingKinds = new HeadingKinds();
const sentenceScanner = new SentenceScanner(sentences);
/** The first tab of the body that is not before the last paragraph; -1 if there is none. */
let nextTab = -1;

/**
 * All sentences and name lines of a body, in time that is linear in its length: those that `createSentenceTable` and
 * `nameLineEndingIn` find, read from its units, without strings or expressions for most lines. Each call overwrites the
 * marks of the body before.
 */
export function passageMarks(source: ParagraphSource): PassageMarks {
  const { body } = source;
  const scanned = scan(body);
  headingKinds.read(source);
  nextTab = body.indexOf('\t');
  sentences.clear();
  nameLines.clear();
  let paragraph = 0;
  for (let line = 0; line < body.length; ) {
    const next = body.indexOf('\n', line);
    const end = next < 0 ? body.length : next;
    const nameEnd = scanNameEnd(scanned, line, end);
    if (nameEnd !== undefined) nameLines.add(line, nameEnd, 0);
    if (!isWrapped(scanned, line, end)) {
      addParagraph(scanned, paragraph, end);
      paragraph = end + 1;
    }
    line = end + 1;
  }
  return { sentences, nameLines };
}

function addParagraph(scanned: ScannedText, lineStart: number, lineEnd: number): void {
  const start = skipSpace(scanned, lineStart, lineEnd);
  const end = skipSpaceBack(scanned, start, lineEnd);
  if (start === end) return;
  const isItem = isBulletAt(scanned, start, end);
  const first = isItem ? skipSpace(scanned, start + 1, end) : start;
  sentenceScanner.scan(scanned, first, end, kindOf(scanned, first, end, isItem));
}

function kindOf(scanned: ScannedText, start: number, end: number, isItem: boolean): ParagraphKind {
  const kind = headingKinds.kindOf(scanned, start, end);
  if (kind !== undefined) return kind;
  if (isItem) return 'item';
  if (nextTab >= 0 && nextTab < start) nextTab = scanned.text.indexOf('\t', start);
  return nextTab >= start && nextTab < end ? 'row' : 'text';
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
