import { type FoundTerm, findTerms, type TermWeights } from '../../text/find-terms.ts';
import { cutBefore } from '../../text/line/text-boundaries.ts';
import { createSearchBudget, maxTextLength, type SearchBudget, type SearchLimits } from '../search-budget.ts';
import { type Excerpt, expandExcerpt } from './expand-excerpt.ts';
import { oneLine } from './one-line.ts';
import { createParagraphs, type ParagraphSource, type Paragraphs } from './paragraphs.ts';
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
  /** Primary subtag, by which words are stemmed. */
  readonly lang: string;
}

export interface SnippetOptions {
  /** The terms that the body holds, where all of them were found before. */
  readonly bodyMatches?: readonly FoundTerm[] | undefined;
  /** What the search may still do; the snippet takes its share of it. Without one, `maxTextLength` alone is the limit. */
  readonly budget?: SearchBudget;
  /** How many snippets of the search are still to be made, this one counted. */
  readonly remaining?: number;
  /** Given where the source's body is the beginning alone; reads the whole, or not where that is too long. */
  readonly wholeBody?: (() => string | undefined) | undefined;
}

const noLimits: SearchLimits = {
  readCharacters: Number.POSITIVE_INFINITY,
  scannedCharacters: Number.POSITIVE_INFINITY,
  matches: Number.POSITIVE_INFINITY,
};

/** A second passage is worth its room when it adds this share of the weight of all words: function words alone do not. */
const minAddition = 0.08;
/**
 * Scan limits: characters of one stretch of a body, and occurrences of a query word in it. The first stretch that holds
 * any word has the snippet; how far the search for it goes is bounded by `maxTextLength` and the search's budget.
 */
const stretchLength = 40_000;
const maxMatchesPerWord = 50;
/** A second passage that would make a snippet longer than this is not shown. */
const maxSnippetLength = 500;

/**
 * A plain-text excerpt in one line: the sentences of the body that answer the query best by summed weight of its
 * words, and a second passage where it adds words that the first lacks, joined by ` … `. When all the words that the
 * body holds stand within `longestPassage`, all are shown; of a body of more than one stretch those of the first that holds
 * any. A body without any, and one that may be looked at no further, gives the page's description, else its beginning.
 * About `longestSnippet` at most; never markup, never a line break.
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

  /** The words in the next stretch that holds any; where only the beginning is there, no stretch may be cut short. */
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

/** What a page says of itself, as a snippet; empty when it says nothing. */
export function aboutPage({ description }: Pick<SnippetSource, 'description'>): string {
  return shortened(oneLine(description, { start: 0, end: description.length }));
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

  /** The passage that adds most of what a first one lacks. */
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

/** Two passages in the order of the text; one, where they touch. */
function joined(body: string, one: Excerpt, other: Excerpt): Excerpt[] {
  const [first, second] = one.start <= other.start ? [one, other] : [other, one];
  if (second.start > first.end && body.slice(first.end, second.start).trim() !== '') return [first, second];
  const [longer] = second.end > first.end ? [second] : [first];
  return [{ ...first, end: longer.end, toMiddle: longer.toMiddle }];
}

function written(body: string, excerpts: readonly Excerpt[]): string {
  const text = excerpts.map((excerpt) => oneLine(body, excerpt)).join(' … ');
  return `${excerpts[0]?.fromMiddle ? '… ' : ''}${text}${excerpts.at(-1)?.toMiddle ? ' …' : ''}`;
}

/** The first sentences that do not only repeat the title. */
function beginning(body: string, paragraphs: Paragraphs): string {
  const first = paragraphs.from(0);
  if (!first) return '';
  const after = first.kind === 'title' ? (paragraphs.from(first.end) ?? first) : first;
  return written(body, [expandExcerpt(body, paragraphs, { start: after.start, end: after.start + 1 })]);
}

function shortened(text: string): string {
  return text.length <= maxPassageLength
    ? text
    : `${text.slice(0, cutBefore(text, maxPassageLength, 0)).trimEnd()} …`;
}
