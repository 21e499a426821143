import type { Clock } from '../../runtime.ts';
import {
  type IndexAnswer,
  type IndexHit,
  type IndexSearch,
  type IndexStats,
  noStats,
  type PageIndex,
  type PartialSearch,
} from '../page-index.ts';
import { maxPartialMatches } from '../partial-matches.ts';
import { rarity, type TermCounts, termWeights } from '../term-weights.ts';
import { type ClusterClient, clusterUnavailable } from './cluster-client.ts';
import { partialAnswer, partialBorders, planPartialMatches, wordName } from './cluster-partial-matches.ts';
import { bestFirst, type ClusterAnswer, countPages, newestFirst, searchCluster } from './cluster-search.ts';
import { orderedSimilarWords, similarWordsRequest, suggestedWords } from './cluster-similar-words.ts';
import { type ClusterNames, type Generation, readGeneration } from './generation.ts';
import { createTermStatistics } from './term-statistics.ts';
import { scoreName, toOpenSearch } from './to-opensearch.ts';

export interface ClusterIndexParts {
  readonly client: ClusterClient;
  readonly names: ClusterNames;
  readonly now: Clock;
  /** The change log is settled up to this entry, as far as this process knows. */
  readonly settledSeq: () => number;
  /** Whether hits come with their heads: where pages are read from the cluster, too. */
  readonly withHeads?: boolean;
}

export interface ClusterIndex extends PageIndex {
  /** Asks the cluster for its number of pages, for `stats` and `trouble`. Never rejects. */
  hear(): Promise<void>;
  /** Why searches could not be answered when the cluster was last asked; undefined if they could. */
  trouble(): string | undefined;
  /** The generation that answers. */
  generation(): Promise<Generation>;
}

/** How long the answer to "which generation?" is kept. The one before it keeps answering for a day. */
const generationKeptMs = 2000;

/**
 * The index in a cluster. Its answers are those of the embedded index, as of the last refresh, and of all pages: where a
 * page could not be asked, the answer is `unavailable`.
 */
export function createClusterIndex({
  client,
  names,
  now,
  settledSeq,
  withHeads = false,
}: ClusterIndexParts): ClusterIndex {
  const fields = withHeads ? { stored_fields: ['head'] } : {};
  const statistics = createTermStatistics(client, now);
  let kept: { readonly generation: Generation; readonly until: number } | undefined;
  let heard: IndexStats = noStats;
  let refreshes = 0;
  let trouble: string | undefined = 'the cluster was not asked yet';

  const current = async (): Promise<Generation> => {
    if (kept && kept.until > now()) return kept.generation;
    const generation = await readGeneration(client, names.pages);
    if (!generation) throw clusterUnavailable('nothing has been indexed in the cluster yet');
    kept = { generation, until: now() + generationKeptMs };
    return generation;
  };

  let begun = 0;
  let newest = 0;
  const count = async (): Promise<void> => {
    const own = ++begun;
    const { name, meta } = await current();
    const pages = await countPages(client, name);
    trouble = undefined;
    // A count that was begun later may have been answered before.
    if (own < newest) return;
    newest = own;
    heard = { ...heard, pages, averageLengths: meta.averageLengths };
  };

  /** Runs `work` over the generation that answers; once more if it was replaced and removed meanwhile. */
  const withGeneration = async <Result>(
    work: (generation: Generation) => Promise<Result | undefined>,
  ): Promise<Result> => {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const result = await work(await current());
      if (result !== undefined) return result;
      kept = undefined;
    }
    throw clusterUnavailable('the index was removed from the cluster');
  };

  const search = (asked: IndexSearch): Promise<IndexAnswer> =>
    withGeneration(async (generation) => {
      const weights = await statistics.of(generation, (counts) => termWeights(asked.query, counts));
      const sort = weights.size > 0 ? bestFirst : newestFirst;
      const query = toOpenSearch(asked, weights);
      const answer = await searchCluster(client, generation.name, {
        query,
        size: asked.limit,
        sort,
        ...fields,
      });
      return answer && { total: answer.hits.total.value, hits: hitsOf(answer, asked.explain), weights };
    });

  const partialMatches = (asked: PartialSearch) =>
    withGeneration(async (generation) => {
      const plan = await statistics.of(generation, (counts) => planPartialMatches(asked, counts));
      const ask = (query: object, size: number) =>
        searchCluster(client, generation.name, { query, size, sort: bestFirst, ...fields });
      const top = plan.whole === 0 ? noAnswer : await ask(plan.coverage, 1);
      if (!top) return undefined;
      const best = top.hits.hits?.[0]?._score ?? 0;
      const { lowest, border, above } = partialBorders(plan, best);
      const range = (from: number, to: number) =>
        best === 0 || from >= to ? noAnswer : ask(plan.between(from, to), maxPartialMatches);
      const [well, rest] = await Promise.all([range(border, above), range(lowest, Math.min(border, above))]);
      if (!well || !rest) return undefined;
      const held = new Map([...heldWords(well), ...heldWords(rest)]);
      const lists = { well: hitsOf(well, asked.explain), rest: hitsOf(rest, asked.explain), best };
      return partialAnswer(plan, lists, held, asked.loosened.words);
    });

  return {
    search,
    partialMatches,
    rarities: (words) =>
      withGeneration((generation) => {
        const read = (counts: TermCounts) => words.map((word) => rarity(word, counts));
        return statistics.of(generation, read);
      }),
    similarWords: (asked) =>
      withGeneration(async (generation) => {
        const request = similarWordsRequest(asked);
        if (!request) return [];
        const answer = await searchCluster(client, generation.name, request);
        if (!answer) return undefined;
        const found = suggestedWords(answer, asked);
        return statistics.of(generation, (counts) => orderedSimilarWords(found, counts, asked));
      }),
    // Changes come by `feedCluster`, which has the change log itself.
    apply: async () => {},
    answersKey: () => `${kept?.generation.name} ${refreshes}`,
    refresh: async () => {
      refreshes++;
      kept = undefined;
      statistics.clear();
      await client.send({ method: 'POST', path: `/${names.pages}/_refresh` });
      await count();
    },
    hear: () =>
      count().catch((error: unknown) => {
        trouble = (error as Error).message;
      }),
    trouble: () => trouble,
    generation: current,
    stats: () => ({ ...heard, seq: settledSeq(), packedSeq: settledSeq() }),
    close: async () => {
      await client.close();
    },
  };
}

const noAnswer: ClusterAnswer = { hits: { total: { value: 0, relation: 'eq' }, hits: [] } };

/** Scores come as the shortest decimals that single precision tells apart. */
function hitsOf({ hits }: ClusterAnswer, explain = false): IndexHit[] {
  return (hits.hits ?? []).map(({ _score, sort, fields, matched_queries = {} }) => {
    const [crawledAt, id] = sort.slice(-2) as [number, string];
    const [head] = fields?.head ?? [];
    const hit = {
      id,
      score: Math.fround(_score ?? 0),
      crawledAt,
      ...(head !== undefined && { head: JSON.parse(head) }),
    };
    return explain ? { ...hit, parts: new Map(named(matched_queries, scoreName)) } : hit;
  });
}

/** By page: the words that it holds, by their index in the query. */
function heldWords({ hits }: ClusterAnswer): [string, Set<number>][] {
  return (hits.hits ?? []).map(({ sort, matched_queries = {} }) => {
    return [sort.at(-1) as string, new Set(named(matched_queries, wordName).map(([index]) => Number(index)))];
  });
}

function named(scores: Readonly<Record<string, number>>, prefix: string): [string, number][] {
  return Object.entries(scores).flatMap(([name, score]) => {
    return name.startsWith(prefix)
      ? [[name.slice(prefix.length), Math.fround(score)] as [string, number]]
      : [];
  });
}
