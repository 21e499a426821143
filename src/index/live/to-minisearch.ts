import MiniSearch, { type Query as MiniSearchQuery } from 'minisearch';
import type { Query, Word } from '../../query/query.ts';
import { fields } from '../bm25f.ts';
import { fileTypeFacet, siteFacet } from '../facets.ts';

/** The field with the facets of `facets.ts`. Words are never searched in it. */
export const facetField = 'facets';

/** A term that no page has, for an `any` without parts. */
const impossible = '\u0000';

/** Translates a query tree to MiniSearch. Total: a missing kind of query does not compile. */
export function toMiniSearch(query: Query): MiniSearchQuery {
  switch (query.kind) {
    case 'all':
      return allOf(query.of);
    case 'any':
      return query.of.length === 0 ? impossible : { combineWith: 'OR', queries: query.of.map(toMiniSearch) };
    case 'not':
      return allOf([query]);
    case 'words':
      return wordsIn([...fields], query.words);
    case 'title':
      return wordsIn(['title'], query.words);
    case 'site':
      return anyFacet([siteFacet(query)]);
    case 'filetype':
      return anyFacet(query.types.map(fileTypeFacet));
  }
}

function allOf(parts: readonly Query[]): MiniSearchQuery {
  const included = parts.filter((part) => part.kind !== 'not').map(toMiniSearch);
  const excluded = parts.filter((part) => part.kind === 'not').map(({ of }) => toMiniSearch(of));
  const matching =
    included.length === 0 ? MiniSearch.wildcard : { combineWith: 'AND' as const, queries: included };
  return excluded.length === 0 ? matching : { combineWith: 'AND_NOT', queries: [matching, ...excluded] };
}

/** Words that are not required only score; they do not decide what matches. */
function wordsIn(searched: string[], words: readonly Word[]): MiniSearchQuery {
  const required = words.filter((word) => word.required);
  if (required.length === 0) return MiniSearch.wildcard;
  return {
    combineWith: 'AND',
    fields: searched,
    queries: required.map(({ term, stem }) =>
      stem === null ? liveTerm(term) : { combineWith: 'OR', queries: [liveTerm(term), liveTerm(stem)] },
    ),
  };
}

function anyFacet(terms: string[]): MiniSearchQuery {
  return { combineWith: 'OR', fields: [facetField], queries: terms.length === 0 ? [impossible] : terms };
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_';

/**
 * A term as the live tier spells it. MiniSearch's radix tree scans the children of a node one after the other. With
 * Chinese terms its root would have thousands, and look-ups would be 25 times slower. So each unit of a term with
 * characters outside Latin is spelled in three of 64 letters, behind a mark that no other term starts with.
 */
export function liveTerm(term: string): string {
  for (let offset = 0; offset < term.length; offset++) {
    if (term.charCodeAt(offset) > 0x24f) return spellInLetters(term);
  }
  return term;
}

function spellInLetters(term: string): string {
  let text = '\u0001';
  for (let offset = 0; offset < term.length; offset++) {
    const unit = term.charCodeAt(offset);
    text += `${alphabet[unit >> 12]}${alphabet[(unit >> 6) & 63]}${alphabet[unit & 63]}`;
  }
  return text;
}
