import type { Query, Word, WordsQuery } from '../../query/query.ts';
import { guessLanguage } from '../../text/language/function-words.ts';
import { queryWords } from '../../text/terms.ts';
import { namesTextSource } from './text-source.ts';

/** What the second phase and the snippets need to know of a query. */
export interface Question {
  /** The words outside of operators, as they were typed. */
  readonly text: string;
  /** How much each term counts that a page must hold, exact forms and stems; other terms of phrases count 0. */
  readonly weights: ReadonlyMap<string, number>;
  /** Primary subtag of the language that the query is in, or that was asked for. */
  readonly lang: string;
  /** The weight of all words together. */
  readonly totalWeight: number;
  /** Sequences of terms whose standing together says more: each quoted phrase, and the query as a whole. */
  readonly phrases: readonly (readonly string[])[];
  /** Whether the query asks for certain sites, so that many pages of one are what is wanted. */
  readonly namesSite: boolean;
  /** Whether it asks for the text sources of pages, by its words or by the path of a site. */
  readonly namesSource: boolean;
}

/** Looks at a query once for all candidates; `termWeights` are the index's, `lang` is the language asked for. */
export function readQuestion(
  query: Query,
  termWeights: ReadonlyMap<string, number>,
  lang?: string,
): Question {
  const texts = wordsOf(query);
  const required = texts.flatMap(({ words }) => words).filter((word) => word.required);
  const weights = new Map<string, number>();
  let totalWeight = 0;
  for (const { term, stem } of distinct(required)) {
    for (const form of stem === null ? [term] : [term, stem]) {
      const weight = termWeights.get(form) ?? 0;
      weights.set(form, weight);
      totalWeight += weight;
    }
  }
  const bare = texts.filter(({ quoted }) => !quoted).map(({ text }) => text);
  const sequences = [bare.join(' '), ...texts.filter(({ quoted }) => quoted).map(({ text }) => text)];
  const phrases = sequences.map(sequenceOf).filter((terms) => terms.length > 1);
  for (const term of phrases.flat()) if (!weights.has(term)) weights.set(term, 0);
  return {
    text: bare.join(' '),
    lang: lang ?? guessLanguage(bare),
    // What is made for one map to find its terms serves the snippets too, which look for the index's.
    weights: isSame(weights, termWeights) ? termWeights : weights,
    totalWeight,
    phrases,
    namesSite: asksForSite(query),
    namesSource: namesTextSource([bare.join(' '), ...titleTexts(query), ...sitePaths(query)].join(' ')),
  };
}

function isSame(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([term, weight]) => other.get(term) === weight);
}

/** The terms of a text in the order in which they stand side by side where it is written out. */
function sequenceOf(text: string): string[] {
  const lang = guessLanguage(text.split(' '));
  return queryWords(text, { quoted: true, lang })
    .filter((word) => word.required)
    .map(({ term }) => term);
}

function distinct(words: readonly Word[]): Word[] {
  return [...new Map(words.map((word) => [word.term, word])).values()];
}

/** The texts that pages are to hold; excluded ones and those of titles are not among them. */
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

function asksForSite(query: Query): boolean {
  if (query.kind === 'site') return true;
  return (query.kind === 'all' || query.kind === 'any') && query.of.some(asksForSite);
}
