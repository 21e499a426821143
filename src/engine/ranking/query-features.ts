import type { Query, Word, WordsQuery } from '../../query/query.ts';
import { guessLanguage } from '../../text/language/function-words.ts';
import type { TermWeights } from '../../text/occurrences/find-terms.ts';
import { queryWords } from '../../text/terms.ts';
import { namesTextSource } from './text-source.ts';

/** What the second phase and the snippets use of a query. */
export interface QueryFeatures {
  /** The words outside operators, as typed. */
  readonly text: string;
  /** The weight of each required term, exact forms and stems; 0 for other terms of phrases. */
  readonly weights: ReadonlyMap<string, number>;
  /** Primary subtag of the requested language, or else of the query's own. */
  readonly lang: string;
  /** The weight of all words together. */
  readonly totalWeight: number;
  /** Sequences of terms that score more if they occur together: each quoted phrase, and the query as a whole. */
  readonly phrases: readonly (readonly string[])[];
  /** Whether the query has a site filter, so that many pages of one site are wanted. */
  readonly namesSite: boolean;
  /** Whether it names the text sources of pages, by its words or by the path of a site. */
  readonly namesSource: boolean;
}

/**
 * The number of words that the second phase and the snippets look for on a page. To find one costs some 3 µs a page; the
 * lightest of more words, such as those of a pasted paragraph, decide nothing.
 */
const maxLookedWords = 16;

/** The weights without those of the lightest words of a query that has more than `maxLookedWords`. */
export function heaviestWords(query: Query, termWeights: TermWeights): TermWeights {
  const words = requiredWords(query);
  if (words.length <= maxLookedWords) return termWeights;
  const formsOf = ({ term, stem }: Word): string[] => (stem === null ? [term] : [term, stem]);
  const weightOf = (word: Word): number =>
    formsOf(word).reduce((sum, form) => sum + (termWeights.get(form) ?? 0), 0);
  const ordered = words.toSorted((one, other) => weightOf(other) - weightOf(one));
  const light = new Set(ordered.slice(maxLookedWords).flatMap(formsOf));
  for (const form of ordered.slice(0, maxLookedWords).flatMap(formsOf)) light.delete(form);
  return new Map([...termWeights].filter(([form]) => !light.has(form)));
}

/** Each word that pages must hold, once. */
function requiredWords(query: Query): Word[] {
  return distinct(wordsOf(query).flatMap(({ words }) => words.filter((word) => word.required)));
}

/**
 * The features of a query, computed once for all candidates. `termWeights` are the index's, of the words that are looked
 * for; `lang` is the requested language.
 */
export function queryFeatures(
  query: Query,
  termWeights: ReadonlyMap<string, number>,
  lang?: string,
): QueryFeatures {
  const texts = wordsOf(query);
  const required = requiredWords(query);
  const looked = required.filter(({ term }) => termWeights.has(term));
  const weights = new Map<string, number>();
  let totalWeight = 0;
  for (const { term, stem } of looked) {
    for (const form of stem === null ? [term] : [term, stem]) {
      const weight = termWeights.get(form) ?? 0;
      weights.set(form, weight);
      totalWeight += weight;
    }
  }
  const bare = texts.filter(({ quoted }) => !quoted).map(({ text }) => text);
  const whole = looked.length === required.length ? [bare.join(' ')] : [];
  const sequences = [...whole, ...texts.filter(({ quoted }) => quoted).map(({ text }) => text)];
  const phrases = sequences.map(sequenceOf).filter((terms) => terms.length > 1);
  for (const term of phrases.flat()) if (!weights.has(term)) weights.set(term, 0);
  return {
    text: bare.join(' '),
    lang: lang ?? guessLanguage(bare),
    // With the index's own map, the term finder that is cached for it also serves the snippets.
    weights: isSame(weights, termWeights) ? termWeights : weights,
    totalWeight,
    phrases,
    namesSite: hasSiteFilter(query),
    namesSource: namesTextSource([bare.join(' '), ...titleTexts(query), ...sitePaths(query)].join(' ')),
  };
}

function isSame(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([term, weight]) => other.get(term) === weight);
}

/** The terms of a text, in the order of a phrase. */
function sequenceOf(text: string): string[] {
  const lang = guessLanguage(text.split(' '));
  return queryWords(text, { quoted: true, lang })
    .filter((word) => word.required)
    .map(({ term }) => term);
}

function distinct(words: readonly Word[]): Word[] {
  return [...new Map(words.map((word) => [word.term, word])).values()];
}

/** The words that pages must contain, without excluded words and title words. */
function wordsOf(query: Query): WordsQuery[] {
  if (query.kind === 'words') return [query];
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(wordsOf) : [];
}

function titleTexts(query: Query): string[] {
  if (query.kind === 'title') return [query.text];
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(titleTexts) : [];
}

function sitePaths(query: Query): string[] {
  if (query.kind === 'site') return [query.path];
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(sitePaths) : [];
}

function hasSiteFilter(query: Query): boolean {
  if (query.kind === 'site') return true;
  return (query.kind === 'all' || query.kind === 'any') && query.of.some(hasSiteFilter);
}
