import { maxLimit, maxQueryCodePoints } from '../contract/search.ts';
import { lex } from '../query/lexer.ts';
import { maxQueryWords } from '../query/max-query-words.ts';

/** Results that one token of fair use pays for: a hundred cost about four times as much CPU as ten. */
const resultsPerToken = 25;
/** And for so many alternatives of `OR` begun, each of which brings pages to look at. */
const alternativesPerToken = 8;
/** And for so many words begun. */
const wordsPerToken = 16;

/** The rule in words, for documentation. */
export const searchTokensRule = `A search counts as one request for up to ${resultsPerToken} results of a query of up to ${wordsPerToken} words with up to ${alternativesPerToken} alternatives of OR, and as one more for each further ${resultsPerToken} results, ${wordsPerToken} words and ${alternativesPerToken} alternatives begun, but never as more than may come at once.`;

/** What a client sends, before it is checked: what will be refused costs one token. */
export interface AskedFor {
  readonly q?: unknown;
  readonly limit?: unknown;
}

/**
 * What a search costs in tokens of fair use, told from its parameters before anything is done for it: 1 for up to
 * `resultsPerToken` results of a query with up to `alternativesPerToken` alternatives and `wordsPerToken` words, and 1
 * more for each further one of these begun.
 */
export function searchTokens({ q, limit }: AskedFor): number {
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

/** Words between spaces; each OR makes one more alternative. */
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

/** At most what the contract allows; what is no number of results will be refused. */
function resultsOf(limit: unknown): number {
  const number = typeof limit === 'string' && /^\d{1,4}$/.test(limit) ? Number(limit) : limit;
  return typeof number === 'number' && number <= maxLimit ? number : 0;
}
