import type { Query, Word } from '../../query/query.ts';
import type { ListKey } from './lists/list-pages.ts';
import { type PageTest, siteTest, typeTest } from './page-tests.ts';
import type { Segment } from './reader.ts';

/**
 * A query, or a part of one, in the terms of a segment. `lists` are the pages in any of its posting lists, `test` those
 * that pass. It is in simple form: no `all` within an `all`, and neither `all` nor `any` of a single part. An `all` leaves out
 * exclusions of words that the segment does not have, each of which would be one more test of every candidate.
 */
export type Clause =
  | ListsClause
  | { readonly kind: 'test'; readonly test: PageTest }
  | { readonly kind: 'all'; readonly of: readonly Clause[] }
  | { readonly kind: 'any'; readonly of: readonly Clause[] }
  | { readonly kind: 'not'; readonly of: Clause };

export interface ListsClause {
  readonly kind: 'lists';
  readonly keys: readonly ListKey[];
  /** The number of postings in all of its lists. */
  readonly cost: number;
}

/**
 * Says what a query means in a segment, dead pages included; the only function that knows the kinds of a query. Words that
 * are not required are ignored.
 */
export function compileQuery(segment: Segment, query: Query): Clause {
  switch (query.kind) {
    case 'all':
      return allOf(query.of.map((part) => compileQuery(segment, part)));
    case 'any':
      return anyOf(
        segment,
        query.of.map((part) => compileQuery(segment, part)),
      );
    case 'not':
      return { kind: 'not', of: compileQuery(segment, query.of) };
    case 'words':
    case 'title': {
      const inTitle = query.kind === 'title';
      const required = query.words.filter((word) => word.required);
      return allOf(required.map((word) => listsOf(segment, keysOf(segment, word, inTitle))));
    }
    case 'site':
      return { kind: 'test', test: siteTest(segment, query) };
    case 'filetype':
      return { kind: 'test', test: typeTest(segment, query) };
  }
}

/** The parts of a clause that must all match. */
export function conjunctsOf(clause: Clause): readonly Clause[] {
  return clause.kind === 'all' ? clause.of : [clause];
}

/** The terms of a word's posting lists: its exact form and its stem, or only the stem if that implies the exact form. */
export function formsOf(segment: Segment, { term, stem }: Word): number[] {
  const exact = segment.termNumber(term);
  const stemmed = stem === null ? -1 : segment.termNumber(stem);
  if (stemmed >= 0 && segment.dictionary.stemOf(exact) === stemmed) return [stemmed];
  return [exact, stemmed].filter((number) => number >= 0);
}

function keysOf(segment: Segment, word: Word, inTitle: boolean): ListKey[] {
  return formsOf(segment, word).map((term) => ({ term, inTitle }));
}

function listsOf(segment: Segment, keys: readonly ListKey[]): ListsClause {
  const distinct = keys.length > 1 ? distinctKeys(keys) : keys;
  const { titles, postings } = segment.dictionary;
  const cost = distinct.reduce(
    (sum, { term, inTitle }) => sum + (inTitle ? titles : postings).count(term),
    0,
  );
  return { kind: 'lists', keys: distinct, cost };
}

function distinctKeys(keys: readonly ListKey[]): ListKey[] {
  return [...new Map(keys.map((key) => [key.inTitle ? -1 - key.term : key.term, key])).values()];
}

/** Every page if there are no parts. */
function allOf(parts: readonly Clause[]): Clause {
  const [first] = parts;
  if (first?.kind === 'lists' && parts.length === 1) return first;
  const of = parts.flatMap(conjunctsOf).filter((part) => !excludesNothing(part));
  const [only] = of;
  return only && of.length === 1 ? only : { kind: 'all', of };
}

function excludesNothing(clause: Clause): boolean {
  return clause.kind === 'not' && clause.of.kind === 'lists' && clause.of.keys.length === 0;
}

/** No page if there are no parts. Parts that are all posting lists become one. */
function anyOf(segment: Segment, of: readonly Clause[]): Clause {
  const [only] = of;
  if (only && of.length === 1) return only;
  const isLists = (clause: Clause): clause is ListsClause => clause.kind === 'lists';
  if (!of.every(isLists)) return { kind: 'any', of };
  return listsOf(
    segment,
    of.flatMap(({ keys }) => keys),
  );
}
