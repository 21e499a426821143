import { isFunctionRun } from '../text/cjk.ts';
import { functionWordWeight, isFunctionWord } from '../text/language/function-words.ts';
import type { Query, WordsQuery } from './query.ts';

/**
 * A sentence has at least this many words, or this many function words among three (`how to cook`). What is shorter is taken at its
 * word: `the who`, `vitamin a`, `after effects tutorial`.
 */
const minSentenceTokens = 4;
const functionWordsOfThree = 2;

const cjkRun = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;
/** `IT`, `WHO`, `U.S.` are names. */
const capitals = /^\P{L}*\p{Lu}(?:\P{L}*\p{Lu})+\P{L}*$/u;
/** So is a letter after the first word (`Vitamin A`, `World War I`), save the pronoun that follows a function word. */
const capitalLetter = /^\p{Lu}$/u;
const punctuation = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;

function isCjkToken(typed: string): boolean {
  return cjkRun.test(typed.replace(punctuation, ''));
}

/** A bare token of the top of a query: what was typed, and what it became. */
export interface BareToken {
  readonly typed: string;
  readonly query: WordsQuery;
}

/** Whether a token is nothing but function words; French joins them by hyphens (`est-ce`). */
function isFunctionToken(typed: string, { words }: WordsQuery, lang: string): boolean {
  const text = typed.replace(punctuation, '');
  if (cjkRun.test(text)) return isFunctionRun(text);
  if (isFunctionWord(text, lang)) return true;
  const required = words.filter((word) => word.required);
  return (required.length === 1 || lang === 'fr') && required.every(({ term }) => isFunctionWord(term, lang));
}

/** What stands between two things that are compared. */
const versus = /^(?:vs\.?|versus)$/;
const difference = /^differences?$/i;

/** Whether a token asks for a comparison: `a vs b`, `difference between a and b`. No page about both need say so. */
function isComparison(tokens: readonly BareToken[], index: number): boolean {
  const typedAt = (at: number): string => tokens[at]?.typed ?? '';
  const text = typedAt(index);
  if (versus.test(text)) return index > 0 && index + 1 < tokens.length;
  const isBetween = (at: number): boolean =>
    difference.test(typedAt(at)) && /^between$/i.test(typedAt(at + 1));
  return isBetween(index) || isBetween(index - 1);
}

/** What the function words among these tokens became in the tree. */
function functionalQueries(tokens: readonly BareToken[], lang: string): Set<Query> {
  const shouts = !tokens.some(({ typed }) => /\p{Ll}/u.test(typed));
  const functional = new Set<Query>();
  let before: WordsQuery | undefined;
  for (const { typed, query } of tokens) {
    const isLetter = before !== undefined && capitalLetter.test(typed.replace(punctuation, ''));
    const isPronoun = typed === 'I' && before !== undefined && functional.has(before);
    const isName = !shouts && (capitals.test(typed) || (isLetter && !isPronoun));
    if (!isName && isFunctionToken(typed, query, lang)) functional.add(query);
    before = query;
  }
  return functional;
}

/**
 * Makes the function words of a question optional: they only raise the score. Only those that stand bare at the top of
 * the query, and only together with another word that a page must contain; in Chinese, Japanese and Korean, where a token is
 * nothing but function words only when it cannot be a name, also in shorter queries. `lang` is that of the words.
 */
export function relaxFunctionWords(query: Query, tokens: readonly BareToken[], lang: string): Query {
  if (query.kind !== 'all') return query;
  const functional = functionalQueries(tokens, lang);
  const texts = query.of.filter(({ kind }) => kind === 'words' || kind === 'any' || kind === 'title');
  const comparing = new Set<Query>(
    tokens.filter((_, index) => isComparison(tokens, index)).map((token) => token.query),
  );
  const relaxed = texts.filter((part) => functional.has(part) || comparing.has(part));
  if (relaxed.length === texts.length) return query;
  const isSentence =
    texts.length >= minSentenceTokens || (texts.length === 3 && relaxed.length >= functionWordsOfThree);
  const of = query.of.map((part) => {
    if (part.kind === 'words' && comparing.has(part)) return optional(part);
    if (part.kind !== 'words' || !functional.has(part)) return part;
    return isSentence || isCjkToken(part.text) ? optional(part) : part;
  });
  return { kind: 'all', of };
}

function optional(part: WordsQuery): WordsQuery {
  const words = part.words.map((word) => ({ ...word, required: false, weight: functionWordWeight }));
  return { ...part, words };
}
