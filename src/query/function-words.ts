import { isFunctionWord } from '../text/function-words.ts';
import type { Query, WordsQuery } from './query.ts';

/** A question has at least this many words; shorter queries (`the who`, `to be`) are taken at their word. */
const shortestQuestion = 3;
/** What is left of a function word's score: chosen on the dev half of Cranfield, see docs/relevance.md. */
const functionWordWeight = 0.3;
/** `IT`, `WHO`, `US` are names. */
const capitals = /^\p{Lu}{2,}$/u;

/** Whether a bare token, as it was typed, is nothing but a function word of the language. */
export function isFunctionToken(token: string, { text, words }: WordsQuery, lang: string): boolean {
  if (capitals.test(token)) return false;
  const [only, ...others] = words;
  return (
    isFunctionWord(text, lang) ||
    (others.length === 0 && only !== undefined && isFunctionWord(only.term, lang))
  );
}

/**
 * Makes the function words of a question optional: they only raise the score. Only those that stand bare at the
 * top of the query, and only beside something else that a page must hold.
 */
export function relaxFunctionWords(query: Query, functionTokens: ReadonlySet<Query>): Query {
  if (query.kind !== 'all') return query;
  const texts = query.of.filter(({ kind }) => kind === 'words' || kind === 'any' || kind === 'title');
  if (texts.length < shortestQuestion || texts.every((part) => functionTokens.has(part))) return query;
  const of = query.of.map((part) =>
    part.kind === 'words' && functionTokens.has(part)
      ? {
          ...part,
          words: part.words.map((word) => ({ ...word, required: false, weight: functionWordWeight })),
        }
      : part,
  );
  return { kind: 'all', of };
}
