import type { SearchResult } from '../src/contract/search.ts';
import { maxAnswerChars, maxAnswerTokens, type Size, sizeOf } from './answer-size.ts';
import { oneLine, shortened } from './one-line.ts';

/** An answer of ten results or fewer stays below 8,000 characters as JSON; more results have as much each. */
const charsOfResult = 800;
const minResults = 10;
/** For a notice that results were left out. */
const noticeRoom = 250;
/** Of a result's names, times, flags and score: by either tokenizer, which read them better than we estimate. */
const tokensOfFrame = 90;

/** In UTF-16 units: a snippet is not shortened further, but left out with its result where that is not enough. */
const minSnippet = 24;
/** Longer than the engine's snippets: it is for those of others. */
const maxSnippet = 600;
const minTitle = 40;
const maxTitle = 200;
const shareOfTitle = 0.75;
const maxSiteName = 60;

/** So many of the words that a page lacks are named. */
const maxMissing = 8;
const maxMissingWord = 40;

/** A result, or a partial match with the words that it lacks. */
export type Fitted = SearchResult & { missing_words?: string[] };

export interface FittedResults {
  readonly results: Fitted[];
  /** How many were left out at the end, because even shortened they would not fit. */
  readonly leftOut: number;
}

/**
 * `wanted` is how many results were asked for: more than these, as partial matches are, have no more room.
 *
 * The results with titles, snippets and site names of one line, so short that they fit into an agent's context
 * beside `charsBeside` characters. The longest snippets and titles are shortened first; ids and urls never are. Where
 * that is not enough the last results are left out, never the first.
 */
export function fitResults(
  found: readonly Fitted[],
  charsBeside: number,
  wanted = found.length,
): FittedResults {
  const lines = found.map(onOneLine);
  const beside = charsBeside + noticeRoom;
  const chars =
    Math.min(maxAnswerChars, Math.max(minResults, Math.min(lines.length, wanted)) * charsOfResult) - beside;
  const most: Size = { chars, tokens: maxAnswerTokens - beside };
  const fixed = new Map(lines.map((line) => [line, fixedSize(line)]));

  function countFitting(results: readonly Fitted[], snippetLength: number): number {
    let left = most;
    const over = results.findIndex((result) => {
      const { chars, tokens } = fixed.get(result) as Size;
      const { title, snippet, site_name = '' } = cutTo(result, snippetLength);
      const words = sizeOf(title + snippet + site_name);
      left = { chars: left.chars - chars - words.chars, tokens: left.tokens - tokens - words.tokens };
      return left.chars < 0 || left.tokens < 0;
    });
    return over < 0 ? results.length : over;
  }

  const kept = lines.slice(0, Math.max(1, countFitting(lines, minSnippet)));
  let [least, longest] = [minSnippet, maxSnippet];
  while (least < longest) {
    const middle = Math.ceil((least + longest) / 2);
    if (countFitting(kept, middle) === kept.length) least = middle;
    else longest = middle - 1;
  }
  return { results: kept.map((result) => cutTo(result, least)), leftOut: lines.length - kept.length };
}

function onOneLine({ site_name, missing_words, ...result }: Fitted): Fitted {
  return {
    ...result,
    title: oneLine(result.title),
    snippet: oneLine(result.snippet),
    ...(site_name !== undefined && { site_name: shortened(oneLine(site_name), maxSiteName) }),
    ...(missing_words !== undefined && { missing_words: listMissing(missing_words) }),
  };
}

function listMissing(words: readonly string[]): string[] {
  const told = words.slice(0, maxMissing).map((word) => shortened(oneLine(word), maxMissingWord));
  const more = words.length - told.length;
  return more > 0 ? [...told, `… and ${more} more`] : told;
}

function cutTo(result: Fitted, snippetLength: number): Fitted {
  const titleLength = Math.round(Math.min(maxTitle, Math.max(minTitle, snippetLength * shareOfTitle)));
  return {
    ...result,
    title: shortened(result.title, titleLength),
    snippet: shortened(result.snippet, snippetLength),
  };
}

/** Of a result as JSON without the words that come from its page. */
function fixedSize({ title, snippet, site_name, ...rest }: Fitted): Size {
  const chars = JSON.stringify({ ...rest, title: '', snippet: '', site_name: '' }).length + 1;
  const { tokens } = sizeOf(
    rest.id + rest.url + rest.domain + rest.lang + (rest.missing_words ?? []).join('", "'),
  );
  return { chars, tokens: tokens + tokensOfFrame };
}
