import { makeSnippet, type SnippetSource } from '../../src/engine/excerpt/snippet.ts';
import { queryWords } from '../../src/text/terms.ts';

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
  return makeSnippet({ description: '', ...source, lang }, weigh(query, lang));
}
