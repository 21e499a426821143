import { byRank, type IndexHit, type PageIndex } from '../index/page-index.ts';
import type { DomainRules } from '../query/domain-rules.ts';
import type { Query } from '../query/query.ts';
import type { PageSource } from '../store/loadable-pages.ts';

interface RuledIndexParts {
  readonly index: PageIndex;
  readonly pages: PageSource;
  /** The operator's rules for domains. */
  readonly rules: DomainRules | undefined;
  /** Whether pages that were read with credentials are left out. */
  readonly publicOnly: boolean;
}

/**
 * The index without the pages of blocked domains, and without private pages if that is wanted; and with the scores that raised
 * and lowered domains have.
 */
export function createRuledIndex({ index, pages, rules, publicOnly }: RuledIndexParts): PageIndex {
  const visible = (query: Query): Query =>
    rules?.blocked ? { kind: 'all', of: [query, { kind: 'not', of: rules.blocked, isRule: true }] } : query;

  const weighed = async (hits: readonly IndexHit[]): Promise<IndexHit[]> => {
    if (!rules?.hasFactors) return [...hits];
    const store = pages.open();
    await store.loadHeads?.(hits);
    return hits
      .map((hit) => ({
        ...hit,
        score: hit.score * rules.factorOf((hit.head ?? store.head(hit.id))?.url ?? ''),
      }))
      .sort(byRank);
  };

  return {
    ...index,
    search: async (search) => {
      const answer = await index.search({ ...search, publicOnly, query: visible(search.query) });
      return { ...answer, hits: await weighed(answer.hits) };
    },
    partialMatches: async (search) => {
      const loosened = { ...search.loosened, hard: visible(search.loosened.hard) };
      const answer = await index.partialMatches({ ...search, publicOnly, loosened });
      const [well, rest] = await Promise.all([weighed(answer.well), weighed(answer.rest)]);
      return { ...answer, well, rest };
    },
  };
}
