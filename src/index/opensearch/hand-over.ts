import { bucketOf, bucketRange, type HostPart } from '../../store/host/host-part.ts';
import { pageId } from '../../store/page/page-id.ts';
import { bodyOf, type ClusterClient, clusterUnavailable, createIndex } from './cluster-client.ts';
import { type Completeness, countPages, isComplete } from './cluster-search.ts';
import type { ClusterNames } from './generation.ts';

/** What is to be done with a URL: visit this page, or crawl its site from here. */
export type HandedKind = 'page' | 'site';

export interface HandedUrl {
  readonly id: string;
  readonly kind: HandedKind;
  readonly url: string;
}

/** URLs on their way to the machine that crawls their hosts, in an index of their own. */
export interface HandOver {
  /** Each URL is there once, however often it is given. Rejects with `unavailable` while it cannot be kept. */
  give(kind: HandedKind, urls: readonly string[]): Promise<void>;
  /** The oldest URLs that are for this machine; without a division, all are. */
  look(part: HostPart | undefined, kinds: readonly HandedKind[], limit: number): Promise<HandedUrl[]>;
  /** Takes URLs out; resolves to those that no other process has taken out before. */
  take(urls: readonly HandedUrl[]): Promise<HandedUrl[]>;
}

/** Maximum number of waiting URLs. Above it no page is handed over, because no machine takes them. */
const maxHandedPages = 10_000;

const mapping = {
  settings: { index: { number_of_shards: 1, auto_expand_replicas: '0-1', refresh_interval: '1s' } },
  mappings: {
    dynamic: 'strict',
    properties: {
      url: { type: 'keyword', index: false, doc_values: false },
      kind: { type: 'keyword' },
      bucket: { type: 'short' },
      at: { type: 'long' },
    },
  },
} as const;

interface HandedUrls extends Completeness {
  readonly hits: { readonly hits: readonly { _id: string; _source: Omit<HandedUrl, 'id'> }[] };
}

export function createHandOver(
  client: ClusterClient,
  { links }: Pick<ClusterNames, 'links'>,
  now: () => number,
): HandOver {
  let isThere = false;

  const ensure = async (): Promise<void> => {
    if (isThere) return;
    await createIndex(client, links, mapping);
    isThere = true;
  };

  /** The statuses of the items, in their order. */
  const bulk = async (lines: readonly object[]): Promise<number[]> => {
    const query = { refresh: true, filter_path: 'items.*.status' };
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const reply = await client.send({ method: 'POST', path: `/${links}/_bulk`, query, lines: text });
    const { items } = bodyOf<{ items: Record<string, { status: number }>[] }>(reply, 'URLs to visit');
    return items.map((item) => Object.values(item)[0]?.status ?? 0);
  };

  return {
    give: async (kind, urls) => {
      if (urls.length === 0) return;
      await ensure();
      if (kind === 'page' && (await countPages(client, links)) >= maxHandedPages) return;
      // One that waits already is a conflict, which is as good.
      await bulk(
        urls.flatMap((url) => [
          { create: { _id: `${kind}-${pageId(url)}` } },
          { url, kind, bucket: bucketOf(url), at: now() },
        ]),
      );
    },
    look: async (part, kinds, limit) => {
      await ensure();
      const { first, end } = part ? bucketRange(part) : bucketRange({ number: 1, of: 1 });
      const filter = [{ terms: { kind: kinds } }, { range: { bucket: { gte: first, lt: end } } }];
      const body = { query: { bool: { filter } }, size: limit, sort: [{ at: 'asc' }] };
      const query = { allow_partial_search_results: false };
      const reply = await client.send({ method: 'POST', path: `/${links}/_search`, query, body });
      const answer = bodyOf<HandedUrls>(reply, 'URLs to visit');
      if (!isComplete(answer)) throw clusterUnavailable('the URLs to visit cannot be read');
      return answer.hits.hits.map(({ _id, _source: { kind, url } }) => ({ id: _id, kind, url }));
    },
    take: async (urls) => {
      if (urls.length === 0) return [];
      const statuses = await bulk(urls.map(({ id }) => ({ delete: { _id: id } })));
      return urls.filter((_, index) => statuses[index] === 200);
    },
  };
}
