import { typedWords } from '../text/terms.ts';
import type { Query, Word, WordsQuery } from './query.ts';

/** A required top-level word of a query without quotes, `+`, `-`, operator or OR. */
export interface BareWord {
  /** The word as typed; a run of Chinese contains several. */
  readonly typed: string;
  /** All of them are required: more than one for a Chinese word of three characters or more. */
  readonly of: readonly Word[];
}

/** A query split into hard conditions and words that a page may lack in part. */
export interface LoosenedQuery {
  /** Everything but the bare words. */
  readonly hard: Query;
  /** In the order of the query, without duplicates. */
  readonly words: readonly BareWord[];
}

/** With fewer words, a page that lacks one of them matches nothing of the query. */
const minBareWords = 2;

/**
 * Splits a query into hard conditions and words of which a page may lack some; undefined for fewer than two such words.
 * Optional function words are in neither.
 */
export function loosenQuery(query: Query): LoosenedQuery | undefined {
  const parts = conjuncts(query);
  const words = bareWords(parts.filter(isBare));
  if (words.length < minBareWords) return undefined;
  return { hard: { kind: 'all', of: parts.filter((part) => !isBare(part)) }, words };
}

/** Whether a top-level part of a query is a bare token. */
export function isBare(part: Query): part is WordsQuery {
  return part.kind === 'words' && !part.quoted && !part.insisted;
}

/** The required words of bare tokens, without duplicates. */
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

/** The parts that must all match, with nested `all`s flattened. */
export function conjuncts(query: Query): readonly Query[] {
  return query.kind === 'all' ? query.of.flatMap(conjuncts) : [query];
}
