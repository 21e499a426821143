import { ServiceError } from '../../contract/errors.ts';
import { conjuncts } from '../../query/bare-words.ts';
import type { Query, SiteQuery, Word, WordsQuery } from '../../query/query.ts';
import { mentionsSite } from '../../query/site.ts';
import { impactWeights } from '../impact-weights.ts';
import type { IndexSearch } from '../page-index.ts';
import { countLeaves, type Dsl, everyPage, noPages } from './dsl.ts';
import { privateType } from './mapping.ts';

/** Below the limit of a cluster (1,024), past which it answers with status 500. */
export const maxLeaves = 1000;

/** Prefixes of the names of clauses, by which a hit tells what it matched. */
export const scoreName = 'score ';

/** A search without what only orders or cuts its hits. */
export type MatchedSearch = Omit<IndexSearch, 'limit'>;

/**
 * Translates a search to the DSL of OpenSearch. Scores are those of a packed segment: each term of `weights` that a page
 * holds adds its impact times its weight of `impactWeights`, once, wherever it stands in the query. Required words score
 * where they are required; all other terms by optional clauses of their own. Where a cluster would refuse that many
 * clauses, optional ones are left out, the lightest first. Throws `invalid_parameters` if the required ones are too many.
 */
export function toOpenSearch(search: MatchedSearch, weights: ReadonlyMap<string, number>): Dsl {
  const { query, explain = false } = search;
  const unscored = impactWeights(weights);
  const score = (term: string): Dsl => {
    const weight = unscored.get(term) ?? 0;
    unscored.delete(term);
    return scoredTerm(term, weight, explain);
  };
  const parts = conjuncts(query);
  const isScored = (part: Query): part is WordsQuery => part.kind === 'words';
  const words = new Map(
    parts.filter(isScored).flatMap((part) => required(part.words).map((word) => [keyOf(word), word])),
  );
  const must = [...words.values()].map(({ term, stem }): Dsl => {
    const exact = score(term);
    if (stem === null) return exact;
    return { bool: { should: [exact, score(stem)], minimum_should_match: 1 } };
  });
  const others = parts.filter((part) => !isScored(part));
  const { filter, must_not } = conditionsOf(others);
  const filters = [...filter, ...filtersOf(search)];
  const hard: Dsl = { bool: { must, must_not, filter: filters.length > 0 ? filters : [everyPage] } };
  const room = maxLeaves - countLeaves(hard) - 1;
  if (room < 0) throw new ServiceError('invalid_parameters', 'q: has too many words to look for');
  const should = scoringClauses(unscored, { room, explain });
  return preferring({ bool: { ...hard.bool, should, minimum_should_match: 0 } }, search.prefer);
}

/** A clause for each term of `impactWeights` that adds to the score of the pages that hold it; of the `room` heaviest. */
export function scoringClauses(
  weights: ReadonlyMap<string, number>,
  { room, explain }: { readonly room: number; readonly explain: boolean },
): Dsl[] {
  return [...weights]
    .sort(([, a], [, b]) => b - a)
    .slice(0, room)
    .map(([term, weight]) => scoredTerm(term, weight, explain));
}

/** Which pages a query matches, without scores. Total: a missing kind of query does not compile. */
export function filterOf(query: Query): Dsl {
  switch (query.kind) {
    case 'all':
      return allOf(query.of);
    case 'not':
      return { bool: { must_not: [filterOf(query.of)] } };
    case 'any':
      return anyOf(query.of.map(filterOf));
    case 'words':
      return wordsIn('terms', query.words);
    case 'title':
      return wordsIn('title_terms', query.words);
    case 'site':
      return siteFilter(query);
    case 'filetype':
      return query.types.length === 0 ? noPages : { terms: { type: query.types } };
  }
}

/** The conditions of a search that are not part of its query. */
export function filtersOf({ query, lang, crawledSince, publicOnly }: MatchedSearch): Dsl[] {
  return [
    ...(mentionsSite(query) ? [] : [{ term: { copy: { value: false } } }]),
    ...(publicOnly ? [{ bool: { must_not: [{ term: { type: { value: privateType } } }] } }] : []),
    ...(lang === undefined ? [] : [{ term: { lang: { value: lang } } }]),
    ...(crawledSince === undefined ? [] : [{ range: { at: { gte: crawledSince } } }]),
  ];
}

/** Multiplies the scores of one language's pages. */
export function preferring(query: Dsl, prefer: IndexSearch['prefer']): Dsl {
  if (!prefer) return query;
  const { lang, factor } = prefer;
  const functions = [{ filter: { term: { lang: { value: lang } } }, weight: factor }];
  return { function_score: { query, functions, score_mode: 'multiply', boost_mode: 'multiply' } };
}

function allOf(of: readonly Query[]): Dsl {
  const { filter, must_not } = conditionsOf(of);
  const [only] = filter;
  if (only && filter.length === 1 && must_not.length === 0) return only;
  return { bool: { filter: filter.length > 0 ? filter : [everyPage], must_not } };
}

function conditionsOf(parts: readonly Query[]): { filter: Dsl[]; must_not: Dsl[] } {
  return {
    filter: parts.filter(({ kind }) => kind !== 'not').map(filterOf),
    must_not: parts.flatMap((part) => (part.kind === 'not' ? [filterOf(part.of)] : [])),
  };
}

/** Terms of one field are one clause together, however many they are. */
function anyOf(parts: readonly Dsl[]): Dsl {
  const [only] = parts;
  if (!only) return noPages;
  if (parts.length === 1) return only;
  const terms = new Set<string>();
  const others: Dsl[] = [];
  for (const part of parts) {
    if ('terms' in part && part.terms.terms) for (const term of part.terms.terms) terms.add(term);
    else others.push(part);
  }
  if (others.length === 0) return { terms: { terms: [...terms] } };
  const should = terms.size > 0 ? [{ terms: { terms: [...terms] } }, ...others] : others;
  return { bool: { should, minimum_should_match: 1 } };
}

function wordsIn(field: 'terms' | 'title_terms', words: readonly Word[]): Dsl {
  const distinct = new Map(required(words).map((word) => [keyOf(word), word]));
  const filter = [...distinct.values()].map(({ term, stem }): Dsl => {
    return { terms: { [field]: stem === null ? [term] : [term, stem] } };
  });
  const [only] = filter;
  if (!only) return everyPage;
  return filter.length === 1 ? only : { bool: { filter } };
}

function siteFilter({ host, path }: SiteQuery): Dsl {
  const onHost: Dsl = { term: { hosts: { value: host } } };
  return path === '' ? onHost : { bool: { filter: [onHost, { term: { paths: { value: path } } }] } };
}

function scoredTerm(term: string, weight: number, explain: boolean): Dsl {
  // A second clause of a term adds nothing, and would hide the part of the first one by its name.
  const name = explain && weight > 0 && { _name: `${scoreName}${term}` };
  return { term: { terms: { value: term, boost: weight, ...name } } };
}

function required(words: readonly Word[]): Word[] {
  return words.filter((word) => word.required);
}

function keyOf({ term, stem }: Word): string {
  return `${term}\n${stem ?? ''}`;
}
