/** The fields of an indexed page; see `mapping.ts`. */
export type TermField = 'terms' | 'title_terms' | 'hosts' | 'paths' | 'type' | 'lang';

/** The part of the query DSL of OpenSearch that searches are written in. */
export type Dsl =
  | { readonly match_all: Record<string, never> }
  | { readonly match_none: Record<string, never> }
  | { readonly term: Partial<Record<TermField, TermValue>> | { readonly copy: { readonly value: boolean } } }
  | { readonly terms: Partial<Record<TermField, readonly string[]>> }
  | { readonly range: { readonly at: { readonly gte: number } } }
  | { readonly bool: BoolDsl }
  | { readonly constant_score: { readonly filter: Dsl; readonly boost: number; readonly _name?: string } }
  | { readonly function_score: FunctionScoreDsl };

/** A term; in `terms` its score is the boost times the impact of the term in the page. */
export interface TermValue {
  readonly value: string;
  readonly boost?: number;
  /** By which a hit tells what this clause added to its score. */
  readonly _name?: string;
}

export interface BoolDsl {
  /** Must match, and add to the score. */
  readonly must?: readonly Dsl[];
  /** Must match. */
  readonly filter?: readonly Dsl[];
  readonly must_not?: readonly Dsl[];
  /** Add to the score; `minimum_should_match` of them must match: without it one, or none where there is `must` or `filter`. */
  readonly should?: readonly Dsl[];
  readonly minimum_should_match?: number;
}

export interface FunctionScoreDsl {
  readonly query: Dsl;
  /** The score is multiplied by the weight of each whose filter matches. */
  readonly functions?: readonly { readonly filter: Dsl; readonly weight: number }[];
  readonly score_mode?: 'multiply';
  readonly boost_mode?: 'multiply';
  /** Pages with a lower score do not match. */
  readonly min_score?: number;
}

export const everyPage: Dsl = { match_all: {} };
export const noPages: Dsl = { match_none: {} };

/** The leaves of a query, of which a cluster takes `indices.query.bool.max_clause_count`, 1,024 unless told. */
export function countLeaves(dsl: Dsl): number {
  if ('bool' in dsl) {
    const { must = [], filter = [], must_not = [], should = [] } = dsl.bool;
    return [...must, ...filter, ...must_not, ...should].reduce((sum, part) => sum + countLeaves(part), 0);
  }
  if ('constant_score' in dsl) return countLeaves(dsl.constant_score.filter);
  if ('function_score' in dsl) return countLeaves(dsl.function_score.query) + 1;
  return 1;
}
