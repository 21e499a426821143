import type { BoolDsl, Dsl, TermField, TermValue } from '../../../src/index/opensearch/dsl.ts';
import type { PageDocument } from '../../../src/index/opensearch/page-document.ts';

/** What a query makes of one page: no match, or its score and what each named clause added. */
export interface Interpreted {
  readonly score: number;
  readonly named: ReadonlyMap<string, number>;
}

/** The slow, obvious reading of the DSL over one document, as the reference of OpenSearch describes it. */
export function interpret(dsl: Dsl, page: PageDocument): Interpreted | undefined {
  if ('match_all' in dsl) return { score: 1, named: new Map() };
  if ('match_none' in dsl) return undefined;
  if ('term' in dsl) return term(dsl.term, page);
  if ('terms' in dsl) {
    const [[field, values]] = Object.entries(dsl.terms) as [[TermField, readonly string[]]];
    return values.some((value) => valuesOf(page, field).has(value))
      ? { score: 1, named: new Map() }
      : undefined;
  }
  if ('range' in dsl) return page.at >= dsl.range.at.gte ? { score: 1, named: new Map() } : undefined;
  if ('bool' in dsl) return bool(dsl.bool, page);
  if ('constant_score' in dsl) {
    const { filter, boost, _name } = dsl.constant_score;
    if (!interpret(filter, page)) return undefined;
    return { score: boost, named: new Map(_name === undefined ? [] : [[_name, boost]]) };
  }
  const { query, functions = [], min_score = 0 } = dsl.function_score;
  const inner = interpret(query, page);
  if (!inner) return undefined;
  const score = functions.reduce(
    (product, { filter, weight }) => product * (interpret(filter, page) ? weight : 1),
    inner.score,
  );
  return score >= min_score ? { score, named: inner.named } : undefined;
}

function term(clause: Extract<Dsl, { term: unknown }>['term'], page: PageDocument): Interpreted | undefined {
  if ('copy' in clause) return page.copy === clause.copy.value ? { score: 1, named: new Map() } : undefined;
  const [[field, { value, boost = 1, _name }]] = Object.entries(clause) as [[TermField, TermValue]];
  const impact = valuesOf(page, field).get(value);
  if (impact === undefined) return undefined;
  return { score: boost * impact, named: new Map(_name === undefined ? [] : [[_name, boost * impact]]) };
}

function bool(clauses: BoolDsl, page: PageDocument): Interpreted | undefined {
  const { must = [], filter = [], must_not = [], should = [] } = clauses;
  const optional = must.length + filter.length > 0 ? 0 : Math.min(1, should.length);
  const { minimum_should_match = optional } = clauses;
  const scored = must.map((part) => interpret(part, page));
  const matching = should.flatMap((part) => interpret(part, page) ?? []);
  const isMatch =
    scored.every((part) => part !== undefined) &&
    filter.every((part) => interpret(part, page)) &&
    !must_not.some((part) => interpret(part, page)) &&
    matching.length >= minimum_should_match;
  if (!isMatch) return undefined;
  const parts = [...scored, ...matching] as Interpreted[];
  return {
    score: parts.reduce((sum, { score }) => sum + score, 0),
    named: new Map(parts.flatMap(({ named }) => [...named])),
  };
}

/** The values of a field with their impacts; 1 where there are none. */
function valuesOf(page: PageDocument, field: TermField): Map<string, number> {
  if (field === 'terms')
    return new Map(
      page.terms.split(' ').map((pair) => {
        const border = pair.lastIndexOf('|');
        return [pair.slice(0, border), Number(pair.slice(border + 1))];
      }),
    );
  const value = page[field];
  const values = field === 'title_terms' ? page.title_terms.split(' ') : [value].flat();
  return new Map(values.map((each) => [each as string, 1]));
}
