import { type FoundTerm, findTerms, type TermWeights } from '../../text/find-terms.ts';
import { truncate } from '../../text/line/truncate.ts';
import { createParagraphs, type ParagraphSource, type Paragraphs } from '../../text/passages/paragraphs.ts';
import { createSearchBudget, maxTextLength, type SearchBudget, type SearchLimits } from '../search-budget.ts';
import { excerptLine } from './excerpt-line.ts';
import { type Excerpt, expandExcerpt } from './expand-excerpt.ts';
import {
  bestWindow,
  maxPassageLength,
  noDifference,
  type Passage,
  scorePassages,
  wordWeights,
} from './passages.ts';

export interface SnippetSource extends ParagraphSource {
  readonly description: string;
  /** Primary subtag; the language of the stems. */
  readonly lang: string;
}

export interface SnippetOptions {
  /** All matches in the body, if they are known already. */
  readonly bodyMatches?: readonly FoundTerm[] | undefined;
  /** The remaining budget of the search; the snippet spends from it. Without one, only `maxTextLength` limits the scan. */
  readonly budget?: SearchBudget;
  /** The number of snippets still to be made, with this one. */
  readonly remaining?: number;
  /** Given if the body is only the beginning of the page. Reads the whole body; undefined if that is too long. */
  readonly wholeBody?: (() => string | undefined) | undefined;
}

const noLimits: SearchLimits = {
  readCharacters: Number.POSITIVE_INFINITY,
  scannedCharacters: Number.POSITIVE_INFINITY,
  matches: Number.POSITIVE_INFINITY,
};

/** Minimum gain of a second passage, as a share of the weight of all words: function words alone are not enough. */
const minAddition = 0.08;
/** Scan limits: characters per stretch, occurrences per query word. A better sentence is unlikely beyond them. */
const stretchLength = 40_000;
const maxMatchesPerWord = 50;
/** A second passage is left out if it would make the snippet longer than this. */
const maxSnippetLength = 500;

/**
 * A plain-text excerpt in one line, without markup: the sentences of the body with the highest sum of query word weights,
 * then, after ` … `, a second passage if it adds words that the first lacks. If all query words of the body are within
 * `maxPassageLength`, the excerpt has all of them. A long body is scanned in stretches, up to the first one with a match.
 * Without a match within the budget, the snippet is the page's description, else its beginning. The length is about
 * `maxSnippetLength` at most.
 */
export function makeSnippet(
  source: SnippetSource,
  weights: TermWeights,
  { bodyMatches, budget = createSearchBudget(noLimits), remaining = 1, wholeBody }: SnippetOptions = {},
): string {
  const allowance = {
    characters: Math.min(maxTextLength, budget.share('scannedCharacters', remaining)),
    matches: budget.share('matches', remaining),
  };
  const { body, lang } = source;
  const isCut = wholeBody !== undefined;
  let start = 0;

  /** The matches in the next stretch before `end` that has any. */
  function next(text: string, end: number): FoundTerm[] {
    for (; start < end && allowance.characters > 0; start += stretchLength) {
      const stretch = text.slice(start, start + Math.min(stretchLength, allowance.characters));
      const tokens = findTerms(stretch, weights, lang, maxMatchesPerWord, allowance.matches);
      budget.spend('scannedCharacters', stretch.length);
      allowance.characters -= stretch.length;
      if (tokens.length > 0)
        return tokens.map((token) => ({ ...token, start: start + token.start, end: start + token.end }));
    }
    return [];
  }

  function answered(text: string, matches: readonly FoundTerm[]): string {
    budget.spend('matches', matches.length);
    return answer(text, createParagraphs({ ...source, body: text }), matches);
  }

  if (weights.size > 0 && allowance.matches > 0) {
    // If the body is cut, only whole stretches are scanned: the rest of the last one is in the whole body.
    const matches =
      bodyMatches?.slice(0, allowance.matches) ??
      next(body, isCut ? body.length - stretchLength + 1 : body.length);
    if (matches.length > 0) return answered(body, matches);
    const whole = allowance.characters > 0 && bodyMatches === undefined ? wholeBody?.() : undefined;
    const later = whole === undefined ? [] : next(whole, whole.length);
    if (whole !== undefined && later.length > 0) return answered(whole, later);
  }
  const about = aboutPage(source);
  return about === '' ? beginning(body, createParagraphs(source)) : about;
}

/** The page's own description as a snippet; empty if it has none. */
export function aboutPage({ description }: Pick<SnippetSource, 'description'>): string {
  return truncate(excerptLine(description, { start: 0, end: description.length }), maxPassageLength + 2);
}

function answer(body: string, paragraphs: Paragraphs, matches: readonly FoundTerm[]): string {
  const weights = wordWeights(matches);
  const passages = scorePassages(body, paragraphs, matches, weights);

  function wordsIn(excerpts: readonly Excerpt[]): Set<string> {
    const visibleMatches = matches.filter(({ start, end }) =>
      excerpts.some((excerpt) => start >= excerpt.start && end <= excerpt.end),
    );
    return new Set(visibleMatches.map(({ word }) => word));
  }

  function weightOf(words: Iterable<string>): number {
    let sum = 0;
    for (const word of words) sum += weights.get(word) ?? 0;
    return sum;
  }

  /** The passage that adds the most weight to a first one. */
  function complement(first: Excerpt): Passage | undefined {
    const held = wordsIn([first]);
    let best: Passage | undefined;
    let maxGain = minAddition * weightOf(weights.keys());
    for (const passage of passages) {
      const value = passage.quality * weightOf([...passage.words].filter((word) => !held.has(word)));
      if (value > maxGain) [best, maxGain] = [passage, value];
    }
    return best;
  }

  function withSecond(first: Excerpt): Excerpt[] {
    const passage = complement(first);
    if (!passage) return [first];
    const both = joined(body, first, expandExcerpt(body, paragraphs, passage));
    return written(body, both).length <= maxSnippetLength ? both : [first];
  }

  const best = passages.reduce((one, other) => (other.score > one.score ? other : one));
  const sentences = withSecond(expandExcerpt(body, paragraphs, best));
  const window = expandExcerpt(body, paragraphs, bestWindow(matches, weights));
  const isBetter = weightOf(wordsIn([window])) > weightOf(wordsIn(sentences)) + noDifference;
  return written(body, isBetter ? withSecond(window) : sentences);
}

/** Two passages in the order of the text, joined to one if they touch. */
function joined(body: string, one: Excerpt, other: Excerpt): Excerpt[] {
  const [first, second] = one.start <= other.start ? [one, other] : [other, one];
  if (second.start > first.end && body.slice(first.end, second.start).trim() !== '') return [first, second];
  const [longer] = second.end > first.end ? [second] : [first];
  return [{ ...first, end: longer.end, toMiddle: longer.toMiddle }];
}

function written(body: string, excerpts: readonly Excerpt[]): string {
  const text = excerpts.map((excerpt) => excerptLine(body, excerpt)).join(' … ');
  return `${excerpts[0]?.fromMiddle ? '… ' : ''}${text}${excerpts.at(-1)?.toMiddle ? ' …' : ''}`;
}

/** The first sentences of the body after a repeated title. */
function beginning(body: string, paragraphs: Paragraphs): string {
  const first = paragraphs.from(0);
  if (!first) return '';
  const after = first.kind === 'title' ? (paragraphs.from(first.end) ?? first) : first;
  return written(body, [expandExcerpt(body, paragraphs, { start: after.start, end: after.start + 1 })]);
}
