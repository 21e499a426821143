import type { Query } from '../../query/query.ts';
import { guessLanguage } from '../../text/language/function-words.ts';
import { judgeScript } from '../../text/language/scripts.ts';

/** The language of a query's words, by their script and their function words; `en` if both are inconclusive. */
export function detectQueryLanguage(query: Query): string {
  const text = wordsOf(query).join(' ');
  const verdict = judgeScript(text);
  if (verdict && 'lang' in verdict) return verdict.lang;
  if (verdict && verdict.script !== 'Latin') return languageOfScript[verdict.script];
  return guessLanguage(text.split(/\s+/));
}

/** The language with the most pages in each script. */
const languageOfScript = { Cyrillic: 'ru', Arabic: 'ar', Devanagari: 'hi' } as const;

function wordsOf(query: Query): string[] {
  if (query.kind === 'words' || query.kind === 'title') return [query.text];
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(wordsOf) : [];
}
