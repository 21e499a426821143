import type { PageMarks } from '../../../index/page-marks.ts';
import type { TextSource } from '../../../text/line/text-source.ts';
import type { Occurrences } from '../../../text/occurrences/occurrences.ts';
import { maxLookLength } from '../../../text/passages/name-line.ts';
import { maxNameLength, type NamePart, nameParts } from '../../../text/passages/name-parts.ts';
import { MarkedText, type ReadAround } from '../../marks/marked-text.ts';
import { bestFill, type NamedLine, type NamedQuery, shareOfQuery } from './fill-share.ts';
import { type OccurrenceRange, rounding, wholeRange } from './word-weights.ts';

/** How well a title names the subject of a query, 0 to 1. */
export function namedBy(title: string, inTitle: Occurrences, query: NamedQuery): number {
  return bestFill({ text: title, start: 0, ...wholeRange(inTitle) }, wholeAndParts, query);
}

/** The gain of a name, by where it stands. */
export interface PlaceGains {
  readonly heading: number;
  readonly line: number;
}

/** The texts that are searched for definitions. */
interface DefinitionSource {
  readonly marks: PageMarks;
  readonly inBody: Occurrences;
  inHeadings(): Occurrences;
}

/** Whether a line with these words in its name may have a greater gain than the best one before it, whatever else it says. */
type MayBeat = (inName: OccurrenceRange) => boolean;

/**
 * The gain of a page that defines the subject of a query: that of the best heading or line, times how well it names the
 * subject. A line counts only if it begins with the name, as in `class asyncio.TaskGroup`, `--follow` or
 * `fs.readFile(path)`. A sentence that mentions the name does not count. Undefined, with less work, if the gain surely is
 * below `worth`.
 */
export function definedIn(
  source: DefinitionSource,
  query: NamedQuery,
  gains: PlaceGains,
  worth = 0,
): number | undefined {
  const isWorth = (gain: number): boolean => gain * rounding >= worth;
  if (!isWorth(Math.max(gains.heading, gains.line))) return undefined;
  const { marks, inBody } = source;
  let best = 0;
  /** What does not fill the query better than this is of no use. */
  const floorOf = (gain: number): number => Math.max(best, worth / rounding) / (gain * rounding);
  const mayBeat =
    (gain: number): MayBeat =>
    (inName) => {
      const floor = floorOf(gain);
      if (floor <= 0 || floor >= 1) return floor <= 0;
      return shareOfQuery(inName, query, Math.sqrt(floor)) ** 2 > floor;
    };
  const raise =
    (gain: number, partsOf: (text: string) => readonly NamePart[]) =>
    (line: NamedLine): void => {
      best = Math.max(best, gain * bestFill(line, partsOf, query, floorOf(gain)));
    };
  const inHeadings = source.inHeadings();
  if (inHeadings.length > 0)
    visitLines(marks, inHeadings, mayBeat(gains.heading), raise(gains.heading, wholeAndParts));
  if (!isWorth(Math.max(best, gains.line))) return undefined;
  const lineMayBeat = mayBeat(gains.line);
  if (inBody.length > 0 && lineMayBeat(wholeRange(inBody)))
    visitNameLines(marks, inBody, lineMayBeat, raise(gains.line, nameParts));
  return isWorth(best) ? best : undefined;
}

function wholeAndParts(line: string): NamePart[] {
  const parts = nameParts(line);
  parts.push({ start: 0, end: line.length, sureness: 1 });
  return parts;
}

/** The minimum that is read from a word in a heading on. */
const afterHeading = maxLookLength + maxNameLength;

/** Headings are short, and the words of a query are in few of them. Where they are in many, the readings become longer. */
const aroundHeadings: ReadAround = {
  before: maxNameLength,
  after: afterHeading,
  maxAfter: 16 * afterHeading,
};

/** Visits the beginnings of the headings that have words, with all their words. */
function visitLines(
  marks: PageMarks,
  found: Occurrences,
  isWanted: MayBeat,
  visit: (line: NamedLine) => void,
): void {
  const text = new MarkedText(marks, 'headings', aroundHeadings);
  let done = -1;
  for (let index = 0; index < found.length; index++) {
    const first = found.startOf(index);
    if (first < done) continue;
    const from = Math.max(0, found.endOf(index) - maxNameLength - 1);
    const start = from + text.slice(from, first).lastIndexOf('\n') + 1;
    if (start === from && from > 0) continue;
    const line = lineAt(text, start, found, index);
    done = start + line.text.length;
    if (isWanted(line)) visit(line);
  }
}

/** Lines with names are far from each other, so nothing is read but what is looked at. */
const aroundNames: ReadAround = { before: 0, after: maxLookLength };

/**
 * Visits the beginnings of the lines of the body that begin with a name that ends in a word, with all their words; without
 * those that are not wanted for the words in their names.
 */
function visitNameLines(
  marks: PageMarks,
  found: Occurrences,
  isWanted: MayBeat,
  visit: (line: NamedLine) => void,
): void {
  const text = new MarkedText(marks, 'body', aroundNames);
  let done = -1;
  for (let index = 0; index < found.length; index++) {
    const end = found.endOf(index);
    const start = marks.nameLineEndingAt(end);
    if (start === undefined || start === done) continue;
    done = start;
    let to = index + 1;
    while (to < found.length && found.startOf(to) < end) to++;
    if (isWanted({ list: found, from: firstFrom(found, index, start), to }))
      visit(lineAt(text, start, found, index));
  }
}

/** The index of the first occurrence that begins at or after `start`; `index` is that of one of them. */
function firstFrom(found: Occurrences, index: number, start: number): number {
  let first = index;
  while (first > 0 && found.startOf(first - 1) >= start) first--;
  return first;
}

/** The beginning of the line at an offset, with the words in it; `index` is that of one of them. */
function lineAt(text: TextSource, start: number, list: Occurrences, index: number): NamedLine {
  const look = text.slice(start, start + maxLookLength);
  const length = look.indexOf('\n');
  const line = length < 0 ? look : look.slice(0, length);
  const end = start + line.length;
  const from = firstFrom(list, index, start);
  let to = from;
  while (to < list.length && list.endOf(to) <= end) to++;
  return { text: line, start, list, from, to };
}
