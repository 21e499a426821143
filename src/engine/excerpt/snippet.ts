import type { PageMarks } from '../../index/page-marks.ts';
import type { TextSource } from '../../text/line/text-source.ts';
import { truncate } from '../../text/line/truncate.ts';
import type { TermWeights } from '../../text/occurrences/find-terms.ts';
import { Occurrences } from '../../text/occurrences/occurrences.ts';
import { sentenceKind } from '../../text/passages/sentence-code.ts';
import type { SentenceMark, SentenceTable } from '../../text/passages/sentence-table.ts';
import type { Stretch } from '../../text/passages/sentences.ts';
import { MarkedText } from '../marks/marked-text.ts';
import { maxTextLength, type SearchBudget } from '../search-budget.ts';
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

export interface SnippetOptions {
  /** Reads the page's own description; empty without one. */
  readonly descriptionOf: () => string;
  /** The remaining budget of the search; the snippet spends from it. */
  readonly budget: SearchBudget;
  /** The number of snippets still to be made, with this one. */
  readonly remaining: number;
}

/** Minimum gain of a second passage, as a share of the weight of all words: function words alone are not enough. */
const minAddition = 0.08;
/** Limit of the occurrences per query word. A better sentence is unlikely beyond it. */
const maxMatchesPerWord = 50;
/** A second passage is left out if it would make the snippet longer than this. */
const maxSnippetLength = 500;

/** The occurrences in the page of which a snippet is made. */
const matches = new Occurrences();

/**
 * A plain-text excerpt in one line, without markup: the sentences of the body with the highest sum of query word weights,
 * then, after ` … `, a second passage if it adds words that the first lacks. If all query words of the body are within
 * `maxPassageLength`, the excerpt has all of them. Without a match within the budget, the snippet is the page's
 * description, else its beginning. The length is about `maxSnippetLength` at most.
 */
export function makeSnippet(
  marks: PageMarks,
  weights: TermWeights,
  { descriptionOf, budget, remaining }: SnippetOptions,
): string {
  const terms = budget.share('matches', remaining);
  matches.clear();
  if (weights.size > 0 && terms > 0) {
    const scanned = Math.min(maxTextLength, budget.share('scannedCharacters', remaining));
    const read = Math.min(maxTextLength, budget.share('readCharacters', remaining));
    marks.occurrences('body', weights, { perWord: maxMatchesPerWord, terms, scanned, read }, matches);
  }
  budget.spend('matches', matches.length);
  if (matches.length > 0) return answer(new MarkedText(marks, 'body'), marks.sentences);
  const about = aboutPage(descriptionOf());
  return about === '' ? beginning(new MarkedText(marks, 'body'), marks.sentences) : about;
}

/** The page's own description as a snippet; empty if it has none. */
export function aboutPage(description: string): string {
  return truncate(excerptLine(description, { start: 0, end: description.length }), maxPassageLength + 2);
}

function answer(body: TextSource, sentences: SentenceTable): string {
  const weights = wordWeights(matches);
  const passages = scorePassages(sentences, matches, weights);
  const total = weightOf(weights.keys());

  function wordsIn(excerpts: readonly Excerpt[]): Set<number> {
    const words = new Set<number>();
    for (const excerpt of excerpts)
      for (let index = 0; index < matches.length; index++)
        if (matches.startOf(index) >= excerpt.start && matches.endOf(index) <= excerpt.end)
          words.add(matches.formOf(index).number);
    return words;
  }

  function weightOf(words: Iterable<number>): number {
    let sum = 0;
    for (const word of words) sum += weights[word] ?? 0;
    return sum;
  }

  function holdsAll(words: Iterable<number>): boolean {
    return weightOf(words) >= total - noDifference;
  }

  /** The weight of the words of a passage that are not held, each counted once. */
  function weightBeyond(held: ReadonlySet<number>, { firstMatch, endMatch }: Passage): number {
    let sum = 0;
    let added: Set<number> | undefined;
    for (let index = firstMatch; index < endMatch; index++) {
      const { number } = matches.formOf(index);
      if (held.has(number) || added?.has(number)) continue;
      added ??= new Set();
      added.add(number);
      sum += weights[number] ?? 0;
    }
    return sum;
  }

  /** The passage that adds the most weight to a first one. */
  function complement(first: Excerpt): Passage | undefined {
    const held = wordsIn([first]);
    if (holdsAll(held)) return undefined;
    let best: Passage | undefined;
    let maxGain = minAddition * total;
    for (const passage of passages) {
      const value = passage.quality * weightBeyond(held, passage);
      if (value <= maxGain) continue;
      best = passage;
      maxGain = value;
    }
    return best;
  }

  /** An excerpt, with a second one if that adds words and there is room for it. */
  function withSecond(first: Excerpt): WrittenExcerpts {
    const passage = complement(first);
    if (passage) {
      const both = write(body, joined(body, first, expandExcerpt(body, sentences, passage)));
      if (both.text.length <= maxSnippetLength) return both;
    }
    return write(body, [first]);
  }

  const best = passages.reduce((one, other) => (other.score > one.score ? other : one));
  const whole = withSecond(expandExcerpt(body, sentences, best));
  const shown = wordsIn(whole.excerpts);
  if (holdsAll(shown)) return whole.text;
  const window = expandExcerpt(body, sentences, bestWindow(matches, weights));
  const isBetter = weightOf(wordsIn([window])) > weightOf(shown) + noDifference;
  return isBetter ? withSecond(window).text : whole.text;
}

/** Excerpts and their text. */
interface WrittenExcerpts {
  readonly excerpts: readonly Excerpt[];
  readonly text: string;
}

/** Two passages in the order of the text, joined to one if they touch. */
function joined(body: TextSource, one: Excerpt, other: Excerpt): Excerpt[] {
  const [first, second] = one.start <= other.start ? [one, other] : [other, one];
  if (second.start > first.end && body.slice(first.end, second.start).trim() !== '') return [first, second];
  const [longer] = second.end > first.end ? [second] : [first];
  return [{ ...first, end: longer.end, toMiddle: longer.toMiddle }];
}

function write(body: TextSource, excerpts: readonly Excerpt[]): WrittenExcerpts {
  const lines = excerpts.map((excerpt) => excerptLine(body, excerpt)).join(' … ');
  const text = `${excerpts[0]?.fromMiddle ? '… ' : ''}${lines}${excerpts.at(-1)?.toMiddle ? ' …' : ''}`;
  return { excerpts, text };
}

/** The first sentences of the body after a repeated title. */
function beginning(body: TextSource, sentences: SentenceTable): string {
  let first = sentences.from(0);
  if (!first) return '';
  if (sentenceKind(first.code) === 'title') first = afterParagraph(sentences, first) ?? first;
  const core = { start: first.start, end: first.start + 1 };
  return write(body, [expandExcerpt(body, sentences, core)]).text;
}

/** The first sentence of the paragraph after that of a sentence. */
function afterParagraph(sentences: SentenceTable, { end }: Stretch): SentenceMark | undefined {
  let next = sentences.from(end);
  while (next && !next.isFirst) next = sentences.from(next.end);
  return next;
}
