import { maxLimit, maxQueryCodePoints } from '../contract/search.ts';
import { lex } from '../query/lexer.ts';
import { maxQueryWords } from '../query/max-query-words.ts';

/** Results per token of fair use: a hundred cost about four times as much CPU as ten. */
const resultsPerToken = 25;
/** Alternatives of `OR` per token: each one adds pages to examine. */
const alternativesPerToken = 8;
/** Words per token. */
const wordsPerToken = 16;

/** The rule in words, for documentation. */
export const searchTokensRule = `A search counts as one request for up to ${resultsPerToken} results of a query of up to ${wordsPerToken} words with up to ${alternativesPerToken} alternatives of OR, and as one more for each further ${resultsPerToken} results, ${wordsPerToken} words and ${alternativesPerToken} alternatives begun, but never as more than may come at once.`;

/** The parameters of a client, not validated yet. An invalid request costs one token. */
export interface RawSearchParams {
  readonly q?: unknown;
  readonly limit?: unknown;
}

/**
 * The cost of a search in rate-limit tokens, computed from its parameters before any work is done: 1 for up to
 * `resultsPerToken` results of a query with up to `alternativesPerToken` alternatives and `wordsPerToken` words, plus 1
 * for each further `resultsPerToken` results, `alternativesPerToken` alternatives and `wordsPerToken` words or part.
 */
export function searchTokens({ q, limit }: RawSearchParams): number {
  const { words, alternatives } = sizeOf(q);
  return (
    1 +
    further(resultsOf(limit), resultsPerToken) +
    further(alternatives, alternativesPerToken) +
    further(words, wordsPerToken)
  );
}

function further(count: number, perToken: number): number {
  return Math.max(0, Math.ceil(count / perToken) - 1);
}

/** Words are separated by spaces; each OR adds one alternative. */
function sizeOf(q: unknown): { words: number; alternatives: number } {
  const isRead = typeof q === 'string' && q.length <= 2 * maxQueryCodePoints;
  let words = 0;
  let alternatives = 1;
  for (const lexeme of isRead ? lex(q) : []) {
    if (lexeme.kind === 'or') alternatives++;
    if (lexeme.kind === 'leaf') words += lexeme.text.split(/\s+/).filter((word) => word !== '').length;
  }
  return { words: Math.min(words, maxQueryWords), alternatives: Math.min(alternatives, maxQueryWords) };
}

/** The requested number of results; 0 if it is invalid, since the request will be rejected. */
function resultsOf(limit: unknown): number {
  const number = typeof limit === 'string' && /^\d{1,4}$/.test(limit) ? Number(limit) : limit;
  return typeof number === 'number' && number <= maxLimit ? number : 0;
}
