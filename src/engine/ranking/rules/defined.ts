import type { FoundTerm } from '../../../text/find-terms.ts';
import type { Question } from '../query-features.ts';
import { filled, wholeWords } from './filled.ts';
import { maxNameLength, type NamePart, nameParts } from './name-parts.ts';

/** The line around a token that may be what the line is called. */
interface NamedLine {
  readonly text: string;
  /** The tokens in it, with offsets into it. */
  readonly found: FoundTerm[];
}

/** How well a title names what a question asks for, 0 to 1. */
export function namedBy(
  title: string,
  inTitle: readonly FoundTerm[],
  question: Question,
  inPlace: readonly FoundTerm[],
): number {
  if (inTitle.length === 0) return 0;
  return bestFill({ text: title, found: [...inTitle] }, wholeAndParts(title), question, inPlace);
}

/** How well a heading names what a question asks for, 0 to 1: the best of all. */
export function namedByHeading(
  headings: string,
  inHeadings: readonly FoundTerm[],
  question: Question,
  inPlace: readonly FoundTerm[],
): number {
  let best = 0;
  for (const line of linesOf(headings, inHeadings, () => true)) {
    best = Math.max(best, bestFill(line, wholeAndParts(line.text), question, inPlace));
    if (best === 1) break;
  }
  return best;
}

/**
 * How well a line of a body defines what a question asks for, 0 to 1: `class asyncio.TaskGroup`, `--follow`,
 * `fs.readFile(path)`. Only lines that begin with a name, so a sentence that mentions it is none.
 */
export function definedByLine(
  body: string,
  inBody: readonly FoundTerm[],
  question: Question,
  inPlace: readonly FoundTerm[],
): number {
  let best = 0;
  for (const line of linesOf(body, inBody, (end) => endsName(body, end))) {
    const parts = nameParts(line.text);
    // The name that the line begins with must end in a word of the question.
    const end = parts[0]?.end;
    if (!line.found.some((token) => token.end === end)) continue;
    best = Math.max(best, bestFill(line, parts, question, inPlace));
    if (best === 1) break;
  }
  return best;
}

function wholeAndParts(line: string): NamePart[] {
  return [{ start: 0, end: line.length, sureness: 1 }, ...nameParts(line)];
}

function bestFill(
  { text, found }: NamedLine,
  parts: readonly NamePart[],
  question: Question,
  inPlace: readonly FoundTerm[],
): number {
  const whole = wholeWords(text, found);
  return Math.max(0, ...parts.map((part) => filled(text, part, whole, question, inPlace)));
}

/** More of a line is not looked at: enough for a name and what follows it. */
const longestLook = 2 * maxNameLength;

/** The beginnings of lines with tokens in them, for those lines that have one that `isWanted` by its end. */
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
    const [line = ''] = text.slice(start, start + longestLook).split('\n', 1);
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

/** Whether a name may end at an offset: most words of sentences are told apart by what follows them. */
function endsName(text: string, end: number): boolean {
  const next = text.charAt(end);
  if (next === ' ') return '([<={—–-'.includes(text.charAt(end + 1) || 'x');
  return next === '' || '\n\t([<={:'.includes(next);
}
