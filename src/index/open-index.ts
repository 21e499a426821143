import type { Query, Word } from '../query/query.ts';
import { exactShare, inverseDocumentFrequency } from './bm25f.ts';
import { type Corpus, createLiveTier, liveScore } from './live.ts';
import type { IndexHit, PageIndex } from './page-index.ts';

/** Opens the embedded index, empty; the change log fills it. */
export function openIndex(): PageIndex {
  const live = createLiveTier();
  let seq = 0;

  return {
    search: async ({ query, prefer, limit, explain = false, ...filters }) => {
      const corpus = live.corpus();
      const weights = queryWeights(query, corpus);
      const hits = live.match({ query, ...filters }).map((page): IndexHit => {
        const factor = prefer?.lang === page.lang ? prefer.factor : 1;
        const parts = explain ? new Map<string, number>() : undefined;
        const score = liveScore(page, weights, corpus.averageLengths, parts) * factor;
        return { id: page.id, crawledAt: page.crawledAt, score, ...(parts && { parts }) };
      });
      hits.sort(byRank);
      return { total: hits.length, hits: hits.slice(0, limit), weights };
    },
    apply: async (changes) => {
      for (const change of changes) {
        if (change.seq <= seq) continue;
        if (change.kind === 'put') live.put(change.page);
        else live.remove(change.id);
        seq = change.seq;
      }
    },
    stats: () => ({ pages: live.corpus().pages, seq }),
    close: async () => {},
  };
}

/** Best first; what scores alike by newer crawl, then by id, so that no page of results repeats or skips a hit. */
export function byRank(a: IndexHit, b: IndexHit): number {
  return b.score - a.score || b.crawledAt - a.crawledAt || (a.id < b.id ? -1 : 1);
}

/** How much every term that the query wants counts: its idf, its word's weight, its share. Excluded words do not. */
function queryWeights(query: Query, corpus: Corpus): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (term: string, share: number): void => {
    const idf = inverseDocumentFrequency(corpus.documentFrequency(term), corpus.pages);
    weights.set(term, Math.max(weights.get(term) ?? 0, share * idf));
  };
  for (const { term, stem, weight } of wantedWords(query)) {
    add(term, stem === null ? weight : weight * exactShare);
    if (stem !== null) add(stem, weight * (1 - exactShare));
  }
  return weights;
}

function wantedWords(query: Query): readonly Word[] {
  switch (query.kind) {
    case 'words':
    case 'title':
      return query.words;
    case 'all':
    case 'any':
      return query.of.flatMap(wantedWords);
    default:
      return [];
  }
}
