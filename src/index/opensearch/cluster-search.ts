import { bodyOf, type ClusterClient, clusterUnavailable, errorType } from './cluster-client.ts';

/** The parts of an answer that tell whether it is of all pages. */
export interface Completeness {
  readonly timed_out?: boolean;
  readonly _shards?: { readonly total: number; readonly successful: number; readonly failed: number };
}

interface ClusterHit {
  readonly _score: number | null;
  readonly sort: readonly (string | number)[];
  /** Stored fields, if the search asks for any. */
  readonly fields?: { readonly head?: readonly string[] };
  /** Scores by the names of the clauses that matched. */
  readonly matched_queries?: Readonly<Record<string, number>>;
}

export interface ClusterAnswer extends Completeness {
  readonly hits: {
    readonly total: { readonly value: number; readonly relation: string };
    /** Absent if there are none. */
    readonly hits?: readonly ClusterHit[];
  };
  readonly suggest?: Readonly<
    Record<string, readonly { readonly options: readonly { readonly text: string }[] }[]>
  >;
}

/** Best first as `byRank`. The id is the last value, so that hits need no stored field. */
export const bestFirst = [{ _score: 'desc' }, { at: 'desc' }, { id: 'asc' }];
/** For searches without scores. */
export const newestFirst = [{ at: 'desc' }, { id: 'asc' }];

/** What all searches have: exact totals, and hits without anything but their sort values. */
const countsAll = { track_total_hits: true, stored_fields: '_none_' };

/** What is read of an answer; the rest is not sent. */
const wantedParts = [
  'timed_out',
  '_shards',
  'error.type',
  'error.root_cause.type',
  'hits.total',
  'hits.hits._score',
  'hits.hits.sort',
];
const filterPath = [...wantedParts, 'hits.hits.matched_queries', 'hits.hits.fields', 'suggest'].join(',');

/**
 * Searches one index, and again once if some pages could not be asked. Resolves with an answer of all pages or throws
 * `unavailable`: a cluster answers 200 with a smaller total for a shard without any copy. Undefined if the index is gone.
 */
export async function searchCluster(
  client: ClusterClient,
  index: string,
  body: object,
): Promise<ClusterAnswer | undefined> {
  for (let attempt = 1; ; attempt++) {
    const reply = await client.send({
      method: 'POST',
      path: `/${index}/_search`,
      query: {
        allow_partial_search_results: false,
        include_named_queries_score: true,
        filter_path: filterPath,
      },
      body: { ...countsAll, ...body },
    });
    if (isIndexGone(reply)) return undefined;
    const answer = bodyOf<ClusterAnswer>(reply, 'a search');
    if (isComplete(answer)) return answer;
    if (attempt === 2) throw clusterUnavailable('some of the pages cannot be asked');
  }
}

/** Whether a request was refused because there is no such index. */
function isIndexGone(reply: Awaited<ReturnType<ClusterClient['send']>>): boolean {
  return (
    reply.kind === 'answer' && reply.status === 404 && errorType(reply.body) === 'index_not_found_exception'
  );
}

/** Whether every shard answered, in time. */
export function isComplete({ timed_out = false, _shards: shards }: Completeness): boolean {
  return !timed_out && shards !== undefined && shards.failed === 0 && shards.successful === shards.total;
}

/** The number of pages of an index. Counting has no parameter that refuses partial answers. */
export async function countPages(client: ClusterClient, index: string): Promise<number> {
  const reply = await client.send({ method: 'GET', path: `/${index}/_count` });
  const answer = bodyOf<Completeness & { readonly count: number }>(reply, 'counting pages');
  if (!isComplete(answer)) throw clusterUnavailable('some of the pages cannot be counted');
  return answer.count;
}
