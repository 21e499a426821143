import { parseQuery } from '../../src/query/parser.ts';
import type { Query } from '../../src/query/query.ts';

/** A query that every engine can be given: exact terms alone, no stems, no words that need not match. */
export interface TermQuery {
  /** A page holds one term at least of each group. */
  readonly all: readonly (readonly string[])[];
  /** These stand in the title. */
  readonly title: readonly string[];
  /** A page that holds one of these is no match. */
  readonly none: readonly string[];
}

export interface BenchQuery {
  /** As it is typed. */
  readonly q: string;
  readonly terms: TermQuery;
  /** No operators: every engine can answer it. */
  readonly plain: boolean;
}

/** The required exact terms of a query; undefined when a `TermQuery` cannot say the same. */
export function termQuery(q: string): TermQuery | undefined {
  const all: string[][] = [];
  const title: string[] = [];
  const none: string[] = [];
  for (const part of partsOf(parseQuery(q))) {
    if (part.kind === 'words') all.push(...requiredTerms(part).map((term) => [term]));
    else if (part.kind === 'title') title.push(...requiredTerms(part));
    else if (part.kind === 'any') {
      const group = part.of.map(onlyTerm);
      if (group.length === 0 || group.includes(undefined)) return undefined;
      all.push(group as string[]);
    } else {
      const term = part.kind === 'not' ? onlyTerm(part.of) : undefined;
      if (term === undefined) return undefined;
      none.push(term);
    }
  }
  return all.length + title.length === 0 ? undefined : { all, title, none };
}

/** The same as a tree of our own query language. */
export function queryOf({ all, title, none }: TermQuery): Query {
  const single = all.filter((group) => group.length === 1).flat();
  const of: Query[] = all
    .filter((group) => group.length > 1)
    .map((group) => ({ kind: 'any', of: group.map((term) => words([term])) }));
  if (single.length > 0) of.unshift(words(single));
  if (title.length > 0) of.push({ kind: 'title', text: '', words: words(title).words });
  for (const term of none) of.push({ kind: 'not', of: words([term]) });
  return of.length === 1 ? (of[0] as Query) : { kind: 'all', of };
}

function words(terms: readonly string[]): Query & { kind: 'words' } {
  return {
    kind: 'words',
    text: '',
    quoted: false,
    words: terms.map((term) => ({ term, stem: null, required: true, weight: 1 })),
  };
}

function partsOf(query: Query): readonly Query[] {
  return query.kind === 'all' ? query.of.flatMap(partsOf) : [query];
}

function onlyTerm(query: Query): string | undefined {
  const terms = query.kind === 'words' ? requiredTerms(query) : [];
  return terms.length === 1 ? terms[0] : undefined;
}

function requiredTerms({ words }: Query & { kind: 'words' | 'title' }): string[] {
  return [...new Set(words.filter(({ required }) => required).map(({ term }) => term))];
}
