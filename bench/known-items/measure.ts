import type { App } from '../../src/app/app.ts';
import { SearchParams } from '../../src/contract/search.ts';
import type { Question } from './questions.ts';

/** What became of a question. */
export interface Outcome {
  readonly question: Question;
  /** Of the first right page among the results read as one list, counted from 1; null where it is not among them. */
  readonly rank: number | null;
  /** URLs of the first results. */
  readonly first: readonly string[];
  readonly isEmpty: boolean;
  /** Of a misspelt question: what the service thinks was meant; undefined when it says nothing. */
  readonly suggested?: string | undefined;
}

/** No one looks further down. */
const depth = 10;

/**
 * Asks a question as a client would: the strict results, and behind them those that lack a word, where the service
 * gives such. A misspelt question whose page is not among them is asked again as the service suggests.
 * `targetOf` is the page that a result forwards to.
 */
export async function ask(
  { engine }: App,
  question: Question,
  targetOf: (url: string) => string,
): Promise<Outcome> {
  const { kind, text, right, meant } = question;
  const search = async (q: string) => {
    const params = SearchParams.parse({ q, limit: depth });
    const { results, partial } = await engine.search(params, { partial: true });
    const found = [...results, ...(partial?.matches ?? [])].map(({ url }) => targetOf(url));
    const distinct = [...new Set(found)].slice(0, depth);
    const at = distinct.findIndex((url) => right.has(url));
    return { params, first: distinct, rank: at < 0 ? null : at + 1, isEmpty: distinct.length === 0 };
  };
  const { params, ...answer } = await search(text);
  if (kind !== 'misspelt' || answer.rank !== null) return { question, ...answer };
  const suggested = await engine.didYouMean(params);
  if (suggested === undefined || suggested.toLowerCase() !== meant?.toLowerCase())
    return { question, ...answer, suggested };
  const { rank, first } = await search(suggested);
  return { question, ...answer, rank, first, suggested };
}
