import type { Query, Word } from '../../query/query.ts';
import { AllDocSet, AnyDocSet, type DocSet, EveryPageSet, FilteredDocSet, PostingCursor } from './doc-set.ts';
import { siteTest, typeTest } from './page-tests.ts';
import type { Segment } from './reader.ts';

/** The pages that match a query, dead ones included. Total: a missing kind of query does not compile. */
export function queryMatcher(segment: Segment, query: Query): DocSet {
  const filter = (test: (page: number) => boolean): DocSet => new FilteredDocSet(segment.pageCount, test);
  switch (query.kind) {
    case 'all':
      return allOf(
        segment,
        query.of.map((part) => queryMatcher(segment, part)),
      );
    case 'any':
      return anyOf(query.of.map((part) => queryMatcher(segment, part)));
    case 'not': {
      const excluded = queryMatcher(segment, query.of);
      return filter((page) => !excluded.test(page));
    }
    case 'words':
    case 'title':
      return wordsMatcher(segment, query.words, query.kind === 'title');
    case 'site':
      return filter(siteTest(segment, query));
    case 'filetype':
      return filter(typeTest(segment, query));
  }
}

/** The terms of a word's posting lists: its exact form and its stem, or only the stem if that implies the exact form. */
export function wordTerms(segment: Segment, { term, stem }: Word): number[] {
  const exact = segment.termNumber(term);
  const stemmed = stem === null ? -1 : segment.termNumber(stem);
  if (stemmed >= 0 && segment.termStems[exact] === stemmed) return [stemmed];
  return [exact, stemmed].filter((number) => number >= 0);
}

/** Words that are not required are ignored. */
function wordsMatcher(segment: Segment, words: readonly Word[], inTitle: boolean): DocSet {
  const required = words.filter((word) => word.required);
  return allOf(
    segment,
    required.map((word) => anyOf(wordTerms(segment, word).map((term) => listCursor(segment, term, inTitle)))),
  );
}

function allOf(segment: Segment, parts: readonly DocSet[]): DocSet {
  const [only] = parts;
  if (!only) return new EveryPageSet(segment.pageCount);
  return parts.length === 1 ? only : new AllDocSet(segment.pageCount, parts);
}

function anyOf(parts: readonly DocSet[]): DocSet {
  const [only] = parts;
  return only && parts.length === 1 ? only : new AnyDocSet(parts);
}

export function listCursor(segment: Segment, term: number, inTitle: boolean): PostingCursor {
  const offsets = inTitle ? segment.titleOffsets : segment.postingOffsets;
  return new PostingCursor(segment.postingPages, offsets[term] as number, offsets[term + 1] as number);
}
