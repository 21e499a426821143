import type { FoundTerm } from '../../../text/find-terms.ts';
import type { QueryFeatures } from '../query-features.ts';
import { fillShare, wholeWords } from './fill-share.ts';
import { maxNameLength, type NamePart, nameParts } from './name-parts.ts';

/** The line around a token that may be what the line is called. */
interface NamedLine {
  readonly text: string;
  /** The tokens in it, with offsets into it. */
  readonly found: FoundTerm[];
}

/** How well a title names the subject of a query, 0 to 1. */
export function namedBy(
  title: string,
  inTitle: readonly FoundTerm[],
  features: QueryFeatures,
  inPlace: () => readonly FoundTerm[],
): number {
  if (inTitle.length === 0) return 0;
  return bestFill({ text: title, found: [...inTitle] }, wholeAndParts(title), features, inPlace);
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
  { page: { headings, body }, inHeadings, inBody }: DefinitionSource,
  features: QueryFeatures,
  inPlace: () => readonly FoundTerm[],
  gains: PlaceGains,
): number {
  let best = 0;
  for (const line of linesOf(headings, inHeadings, () => true))
    best = Math.max(best, gains.heading * bestFill(line, wholeAndParts(line.text), features, inPlace));
  for (const line of linesOf(body, inBody, (end) => endsName(body, end))) {
    if (best >= gains.line) break;
    const parts = nameParts(line.text);
    // The name that the line begins with must end in a word of the query.
    const end = parts[0]?.end;
    if (isSentence(line.text, end)) continue;
    if (!line.found.some((token) => token.end === end)) continue;
    best = Math.max(best, gains.line * bestFill(line, parts, features, inPlace));
  }
  return best;
}

/** Whether a name with parameters is part of a sentence: `Call create_task(coro) for it.` */
function isSentence(line: string, nameEnd = line.length): boolean {
  return /^ ?[([<={]/.test(line.slice(nameEnd, nameEnd + 2)) && /[.!?。！？]$/.test(line);
}

/** The texts that are searched for definitions. */
interface DefinitionSource {
  readonly page: { readonly headings: string; readonly body: string };
  readonly inHeadings: readonly FoundTerm[];
  readonly inBody: readonly FoundTerm[];
}

function wholeAndParts(line: string): NamePart[] {
  return [{ start: 0, end: line.length, sureness: 1 }, ...nameParts(line)];
}

function bestFill(
  { text, found }: NamedLine,
  parts: readonly NamePart[],
  features: QueryFeatures,
  inPlace: () => readonly FoundTerm[],
): number {
  const whole = wholeWords(text, found);
  return Math.max(0, ...parts.map((part) => fillShare(text, part, whole, features, inPlace)));
}

/** Maximum length of a line that is examined: enough for a name and what follows it. */
const maxLookLength = 2 * maxNameLength;

/** The beginnings of the lines that have a token whose end passes `isWanted`, with all their tokens. */
function* linesOf(
  text: string,
  found: readonly FoundTerm[],
  isWanted: (end: number) => boolean,
): Generator<NamedLine> {
  let done = -1;
  for (const [index, token] of found.entries()) {
    if (token.start < done || !isWanted(token.end)) continue;
    const from = Math.max(0, token.end - maxNameLength - 1);
    const before = text.slice(from, token.start);
    const start = from + before.lastIndexOf('\n') + 1;
    if (start === from && from > 0) continue;
    const [line = ''] = text.slice(start, start + maxLookLength).split('\n', 1);
    const end = start + line.length;
    let first = index;
    while ((found[first - 1]?.start ?? -1) >= start) first--;
    const tokens: FoundTerm[] = [];
    for (let at = first; (found[at]?.end ?? end + 1) <= end; at++) {
      const own = found[at] as FoundTerm;
      tokens.push({ ...own, start: own.start - start, end: own.end - start });
    }
    done = end;
    yield { text: line, found: tokens };
  }
}

/** Whether a name may end at an offset. Most words inside sentences fail by what follows them. */
function endsName(text: string, end: number): boolean {
  const next = text.charAt(end);
  if (next === ' ') return '([<={—–-'.includes(text.charAt(end + 1) || 'x');
  return next === '' || '\n\t([<={:'.includes(next);
}
