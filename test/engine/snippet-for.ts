import { makeSnippet } from '../../src/engine/excerpt/snippet.ts';
import { createBodyMarks } from '../../src/engine/marks/body-marks.ts';
import { createSearchBudget, type SearchBudget } from '../../src/engine/search-budget.ts';
import type { Page } from '../../src/page.ts';
import type { TermWeights } from '../../src/text/occurrences/find-terms.ts';
import { queryWords } from '../../src/text/terms.ts';
import { examplePage } from '../pages.ts';

/** What a snippet is made of. */
export type SnippetSource = Pick<Page, 'body' | 'description' | 'lang'> &
  Partial<Pick<Page, 'title' | 'headings'>>;

export interface SnippetSettings {
  readonly budget?: SearchBudget;
  readonly remaining?: number;
  /** Given if the body is only the beginning of the page. */
  readonly whole?: { readonly bodyLength: number; readonly wholeBody: () => string | undefined };
}

const noLimits = { readCharacters: 1e9, scannedCharacters: 1e9, matches: 1e9 };

/** The snippet of a page with this text for words with these weights. */
export function snippetOf(
  source: SnippetSource,
  weights: TermWeights,
  { budget = createSearchBudget(noLimits), remaining = 1, whole }: SnippetSettings = {},
): string {
  const page = { ...examplePage({ url: 'https://a.example/', title: '' }), ...source };
  const beginning = { page, bodyLength: whole?.bodyLength ?? page.body.length, ending: '' };
  const marks = createBodyMarks(beginning, { budget, wholeBody: whole?.wholeBody });
  return makeSnippet(marks, weights, { descriptionOf: () => page.description, budget, remaining });
}

/** Every word of a query weighs one, its stem a half, as the index does it. */
export function weigh(query: string, lang: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { term, stem } of queryWords(query, { quoted: false, lang })) {
    weights.set(term, 1);
    if (stem !== null) weights.set(stem, 0.5);
  }
  return weights;
}

/** The snippet for a query; the language is English unless told. */
export function snippetFor(query: string, source: Partial<SnippetSource> & { body: string }): string {
  const { lang = 'en' } = source;
  return snippetOf({ description: '', ...source, lang }, weigh(query, lang));
}
