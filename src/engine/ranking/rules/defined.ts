import type { PageMarks } from '../../../index/page-marks.ts';
import type { FoundTerm } from '../../../text/find-terms.ts';
import type { TextSource } from '../../../text/line/text-source.ts';
import { maxLookLength } from '../../../text/passages/name-line.ts';
import { maxNameLength, type NamePart, nameParts } from '../../../text/passages/name-parts.ts';
import { markedText, type ReadAround } from '../../marks/marked-text.ts';
import type { QueryFeatures } from '../query-features.ts';
import { bestFill, type NamedLine } from './fill-share.ts';
import { distinctWeight, rounding, share } from './word-weights.ts';

/** How well a title names the subject of a query, 0 to 1. */
export function namedBy(
  title: string,
  inTitle: readonly FoundTerm[],
  features: QueryFeatures,
  inPlace: () => readonly FoundTerm[],
): number {
  if (inTitle.length === 0) return 0;
  return bestFill({ text: title, start: 0, found: inTitle }, wholeAndParts, features, inPlace);
}

/** The gain of a name, by where it stands. */
export interface PlaceGains {
  readonly heading: number;
  readonly line: number;
}

/**
 * The gain of a page that defines the subject of a query: that of the best heading or line, times how well it names the
 * subject. A line counts only if it begins with the name, as in `class asyncio.TaskGroup`, `--follow` or
 * `fs.readFile(path)`. A sentence that mentions the name does not count.
 */
export function definedIn(
  { marks, inHeadings, inBody }: DefinitionSource,
  features: QueryFeatures,
  inPlace: () => readonly FoundTerm[],
  gains: PlaceGains,
): number {
  let best = 0;
  const mayBeat = (found: readonly FoundTerm[], gain: number): boolean =>
    best === 0 || gain * maxFill(found, features, inPlace) > best * rounding;
  for (const line of linesOf(markedText(marks, 'headings'), inHeadings)) {
    if (!mayBeat(line.found, gains.heading)) continue;
    best = Math.max(best, gains.heading * bestFill(line, wholeAndParts, features, inPlace));
  }
  for (const line of nameLines(marks, inBody, (inName) => mayBeat(inName, gains.line)))
    best = Math.max(best, gains.line * bestFill(line, nameParts, features, inPlace));
  return best;
}

/** An upper bound of `bestFill`, but for rounding, for lines with these tokens in their names, whatever else they say. */
function maxFill(
  found: readonly FoundTerm[],
  { totalWeight }: QueryFeatures,
  inPlace: () => readonly FoundTerm[],
): number {
  return share(distinctWeight(found, inPlace()), totalWeight) ** 2;
}

/** The texts that are searched for definitions. */
interface DefinitionSource {
  readonly marks: PageMarks;
  readonly inHeadings: readonly FoundTerm[];
  readonly inBody: readonly FoundTerm[];
}

function wholeAndParts(line: string): NamePart[] {
  return [{ start: 0, end: line.length, sureness: 1 }, ...nameParts(line)];
}

/** The beginnings of the lines that have tokens, with all their tokens. */
function* linesOf(text: TextSource, found: readonly FoundTerm[]): Generator<NamedLine> {
  let done = -1;
  for (let index = 0; index < found.length; index++) {
    const token = found[index] as FoundTerm;
    if (token.start < done) continue;
    const from = Math.max(0, token.end - maxNameLength - 1);
    const before = text.slice(from, token.start);
    const start = from + before.lastIndexOf('\n') + 1;
    if (start === from && from > 0) continue;
    const line = namedLine(text, start, found, index);
    done = start + line.text.length;
    yield line;
  }
}

/** Lines with names are far from each other, so nothing is read but what is looked at. */
const aroundNames: ReadAround = { before: 0, after: maxLookLength };

/**
 * The beginnings of the lines that begin with a name that ends in a token, with all their tokens; without those that are
 * not wanted for the tokens in their names.
 */
function* nameLines(
  marks: PageMarks,
  found: readonly FoundTerm[],
  isWanted: (inName: readonly FoundTerm[]) => boolean,
): Generator<NamedLine> {
  const text = markedText(marks, 'body', aroundNames);
  let done = -1;
  for (let index = 0; index < found.length; index++) {
    const { end } = found[index] as FoundTerm;
    const start = marks.nameLineEndingAt(end);
    if (start === undefined || start === done) continue;
    done = start;
    if (isWanted(tokensWithin(found, index, start, end))) yield namedLine(text, start, found, index);
  }
}

/** The tokens between two offsets; `index` is that of one of them. */
function tokensWithin(found: readonly FoundTerm[], index: number, start: number, end: number): FoundTerm[] {
  let last = index + 1;
  while ((found[last]?.start ?? end) < end) last++;
  return found.slice(firstFrom(found, index, start), last);
}

/** The index of the first token that begins at or after `start`; `index` is that of one of them. */
function firstFrom(found: readonly FoundTerm[], index: number, start: number): number {
  let first = index;
  while ((found[first - 1]?.start ?? -1) >= start) first--;
  return first;
}

/** The beginning of the line at an offset, with the tokens in it; `index` is that of one of them. */
function namedLine(text: TextSource, start: number, found: readonly FoundTerm[], index: number): NamedLine {
  const look = text.slice(start, start + maxLookLength);
  const length = look.indexOf('\n');
  const line = length < 0 ? look : look.slice(0, length);
  const end = start + line.length;
  const first = firstFrom(found, index, start);
  let last = first;
  while ((found[last]?.end ?? end + 1) <= end) last++;
  return { text: line, start, found: found.slice(first, last) };
}
