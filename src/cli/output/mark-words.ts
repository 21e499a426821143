import { parseQuery } from '../../query/parser.ts';
import type { Query, Word } from '../../query/query.ts';
import { findTerms } from '../../text/find-terms.ts';

/** Marks the words of a query in a text of that language (primary subtag). */
export type MarkWords = (text: string, lang: string) => string;

/**
 * Marks what the index takes for a word of the query, including other endings and words in Chinese text. Does not mark
 * optional function words and excluded words. `lang` is a primary subtag.
 */
export function createMarkWords(
  q: string,
  lang: string | undefined,
  mark: (text: string) => string,
): MarkWords {
  const words = wordsOf(parseQuery(q, lang === undefined ? {} : { lang })).filter(({ required }) => required);
  const terms = new Map(
    words.flatMap(({ term, stem }) => (stem === null ? [term] : [term, stem])).map((term) => [term, 1]),
  );
  if (terms.size === 0) return (text) => text;
  return (text, textLang) => {
    let marked = '';
    let end = 0;
    for (const span of joined(findTerms(text, terms, textLang))) {
      marked += text.slice(end, span.start) + mark(text.slice(span.start, span.end));
      end = span.end;
    }
    return marked + text.slice(end);
  };
}

function wordsOf(query: Query): readonly Word[] {
  if (query.kind === 'words' || query.kind === 'title') return query.words;
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(wordsOf) : [];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Joins overlapping spans: Chinese terms overlap, and so do a compound and its parts. */
function joined(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = whole.at(-1);
    if (last !== undefined && start <= last.end && start !== end)
      whole[whole.length - 1] = { start: last.start, end: Math.max(last.end, end) };
    else whole.push({ start, end });
  }
  return whole;
}
