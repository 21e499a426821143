import { typedWords } from '../text/terms.ts';
import type { Query, Word, WordsQuery } from './query.ts';

/** A word that a page must hold and that stands bare at the top of a query: without quotes, `+`, `-`, operator or OR. */
export interface BareWord {
  /** As it was typed; a run of Chinese has several. */
  readonly typed: string;
  /** All of these a page must hold: more than one for a Chinese word of three characters or more. */
  readonly of: readonly Word[];
}

/** A query as what a page must be and what it should hold as much of as it can. */
export interface LoosenedQuery {
  /** Everything but the bare words. */
  readonly hard: Query;
  /** In the order of the query, each once. */
  readonly words: readonly BareWord[];
}

/** Below this a page that lacks one of the words holds nothing of the question. */
const minBareWords = 2;

/**
 * Parts a query into what stays hard and the words of which a page may lack some; undefined for fewer than two such
 * words. Function words of a question are in neither, as no page needs them.
 */
export function loosenQuery(query: Query): LoosenedQuery | undefined {
  const parts = conjuncts(query);
  const words = bareWords(parts.filter(isBare));
  if (words.length < minBareWords) return undefined;
  return { hard: { kind: 'all', of: parts.filter((part) => !isBare(part)) }, words };
}

/** Whether a part of the top of a query is a bare token. */
export function isBare(part: Query): part is WordsQuery {
  return part.kind === 'words' && !part.quoted && !part.insisted;
}

/** The words of bare tokens that a page must hold, each once. */
export function bareWords(tokens: readonly WordsQuery[]): BareWord[] {
  const words = new Map<string, BareWord>();
  for (const { words: terms, text, typed = text } of tokens) {
    const required = new Map(terms.filter((word) => word.required).map((word) => [word.term, word]));
    for (const word of typedWords(typed)) {
      const of = word.terms.flatMap((term) => required.get(term) ?? []);
      const key = word.terms.join(' ');
      if (of.length === word.terms.length && !words.has(key)) words.set(key, { typed: word.typed, of });
    }
  }
  return [...words.values()];
}

/** The parts that must all match, through every `all` inside an `all`. */
export function conjuncts(query: Query): readonly Query[] {
  return query.kind === 'all' ? query.of.flatMap(conjuncts) : [query];
}
