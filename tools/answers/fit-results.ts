import type { SearchResult } from '../../src/contract/search.ts';
import { oneLine } from '../../src/text/line/one-line.ts';
import { truncate } from '../../src/text/line/truncate.ts';
import { maxAnswerChars, maxAnswerTokens, type Size, sizeOf } from '../answer-size.ts';

/** Ten results or fewer stay below 8,000 characters as JSON; further results get the same length each. */
const charsOfResult = 800;
const minResults = 10;
/** Room for the notice that results were left out. */
const noticeRoom = 250;
/** Field names, times, flags and score of a result: measured with both tokenizers, which need less than our estimate. */
const tokensOfFrame = 90;

/** In UTF-16 units. A snippet is not shortened further; the result is left out instead. */
const minSnippet = 24;
/** Longer than the engine's own snippets, for those of external results. */
const maxSnippet = 600;
const minTitle = 40;
const maxTitle = 200;
const shareOfTitle = 0.75;
const maxSiteName = 60;

/** Maximum number of missing words that are listed per result. */
const maxMissing = 8;
const maxMissingWord = 40;

/** A result, or a partial match with its missing words. */
export type ShortenedResult = SearchResult & { missing_words?: string[] };

export interface FittedResults {
  readonly results: ShortenedResult[];
  /** Number of results at the end that would not fit even when shortened. */
  readonly leftOut: number;
}

/**
 * Fits results into an agent's context together with `frameChars` other characters. Titles, snippets and site names
 * become one line. The longest snippets and titles are shortened first, ids and urls never. If that is not enough, the
 * last results are left out. `limit` is the requested number of results: further ones, such as partial matches, get no
 * additional room.
 */
export function fitResults(
  results: readonly ShortenedResult[],
  frameChars: number,
  limit = results.length,
): FittedResults {
  const lines = results.map(onOneLine);
  const overhead = frameChars + noticeRoom;
  const chars =
    Math.min(maxAnswerChars, Math.max(minResults, Math.min(lines.length, limit)) * charsOfResult) - overhead;
  const max: Size = { chars, tokens: maxAnswerTokens - overhead };
  const fixed = new Map(lines.map((line) => [line, fixedSize(line)]));

  function countFitting(candidates: readonly ShortenedResult[], snippetLength: number): number {
    let remaining = max;
    const firstOver = candidates.findIndex((result) => {
      const own = fixed.get(result) as Size;
      const { title, snippet, site_name = '' } = cutTo(result, snippetLength);
      const words = sizeOf(title + snippet + site_name);
      remaining = {
        chars: remaining.chars - own.chars - words.chars,
        tokens: remaining.tokens - own.tokens - words.tokens,
      };
      return remaining.chars < 0 || remaining.tokens < 0;
    });
    return firstOver < 0 ? candidates.length : firstOver;
  }

  const fitting = lines.slice(0, Math.max(1, countFitting(lines, minSnippet)));
  let [low, high] = [minSnippet, maxSnippet];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countFitting(fitting, middle) === fitting.length) low = middle;
    else high = middle - 1;
  }
  return { results: fitting.map((result) => cutTo(result, low)), leftOut: lines.length - fitting.length };
}

function onOneLine({ site_name, missing_words, ...result }: ShortenedResult): ShortenedResult {
  return {
    ...result,
    title: oneLine(result.title),
    snippet: oneLine(result.snippet),
    ...(site_name !== undefined && { site_name: truncate(oneLine(site_name), maxSiteName) }),
    ...(missing_words !== undefined && { missing_words: listMissing(missing_words) }),
  };
}

function listMissing(words: readonly string[]): string[] {
  const listed = words.slice(0, maxMissing).map((word) => truncate(oneLine(word), maxMissingWord));
  const more = words.length - listed.length;
  return more > 0 ? [...listed, `… and ${more} more`] : listed;
}

function cutTo(result: ShortenedResult, snippetLength: number): ShortenedResult {
  const titleLength = Math.round(Math.min(maxTitle, Math.max(minTitle, snippetLength * shareOfTitle)));
  return {
    ...result,
    title: truncate(result.title, titleLength),
    snippet: truncate(result.snippet, snippetLength),
  };
}

/** The size of a result as JSON without the texts of its page. */
function fixedSize({ title, snippet, site_name, ...rest }: ShortenedResult): Size {
  const chars = JSON.stringify({ ...rest, title: '', snippet: '', site_name: '' }).length + 1;
  const { tokens } = sizeOf(
    rest.id + rest.url + rest.domain + rest.lang + (rest.missing_words ?? []).join('", "'),
  );
  return { chars, tokens: tokens + tokensOfFrame };
}
