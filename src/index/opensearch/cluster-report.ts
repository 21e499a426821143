import type { PageStore } from '../../store/page-store.ts';
import { bodyOf, type ClusterClient, clusterUnavailable } from './cluster-client.ts';
import { countPages } from './cluster-search.ts';
import { countSearchable } from './feed/build-generation.ts';
import { readCheckpoint } from './feed/checkpoint.ts';
import { type ClusterNames, type Generation, readGeneration } from './generation.ts';

interface ReportParts {
  readonly client: ClusterClient;
  readonly names: ClusterNames;
  readonly store: PageStore;
}

/** One generation, as an operator sees it. */
export interface GenerationReport {
  readonly name: string;
  readonly pages: number;
  /** Changes of the store that it does not have yet. */
  readonly lag: number;
  /** The pages that can never be indexed as they are, with the reason of each. */
  readonly failed: Readonly<Record<string, string>>;
}

/** The index of a data folder in its cluster. */
export interface ClusterReport {
  /** `green`, `yellow` (copies are missing) or `red` (pages are missing). */
  readonly health: string;
  readonly nodes: number;
  /** The generation that answers; null if there is none. */
  readonly current: GenerationReport | null;
  /** The generation that is being built; null if there is none. */
  readonly next: GenerationReport | null;
}

/** Throws `unavailable` while the cluster does not answer for all pages. */
export async function clusterReport(parts: ReportParts): Promise<ClusterReport> {
  const { client, names } = parts;
  const reply = await client.send({ method: 'GET', path: '/_cluster/health' });
  const { status, number_of_nodes } = bodyOf<{ status: string; number_of_nodes: number }>(
    reply,
    'its health',
  );
  const [current, next] = await Promise.all([
    generationReport(parts, names.pages),
    generationReport(parts, names.next),
  ]);
  return { health: status, nodes: number_of_nodes, current, next };
}

async function generationReport(parts: ReportParts, alias: string): Promise<GenerationReport | null> {
  const { client, names, store } = parts;
  const generation = await readGeneration(client, alias);
  if (!generation) return null;
  const stored = await readCheckpoint(client, names, generation.name);
  const { seq, failed } = stored?.checkpoint ?? { seq: 0, failed: {} };
  const pages = await countPages(client, generation.name);
  return { name: generation.name, pages, lag: Math.max(0, store.lastSeq() - seq), failed };
}

/** What differs between a generation and the store. */
export interface ClusterFindings {
  readonly checked: number;
  /** Pages of the store that the index does not have; changes that were not sent yet are among them. */
  readonly missing: readonly string[];
  /** How many pages the index has besides; 0 where other machines fill it, too. */
  readonly extra: number;
}

/** Pages that are looked for in one request. */
const lookupSize = 1000;

/** Looks for every searchable page of the store in the generation that answers. */
export async function verifyCluster(parts: ReportParts): Promise<ClusterFindings> {
  const { client, names, store } = parts;
  const generation = await readGeneration(client, names.pages);
  if (!generation) throw clusterUnavailable('nothing has been indexed in the cluster yet');
  await client.send({ method: 'POST', path: `/${generation.name}/_refresh` });
  const missing: string[] = [];
  let checked = 0;
  let ids: string[] = [];
  for (const { id, isHidden } of store.heads()) {
    if (isHidden) continue;
    ids.push(id);
    checked++;
    if (ids.length < lookupSize) continue;
    missing.push(...(await absentOf(client, generation, ids)));
    ids = [];
  }
  if (ids.length > 0) missing.push(...(await absentOf(client, generation, ids)));
  const found = await countPages(client, generation.name);
  const expected = countSearchable(store, {}) - missing.length;
  return { checked, missing, extra: names.isShared ? 0 : Math.max(0, found - expected) };
}

/** An error for a page is not "not found": the shard may be away. */
async function absentOf(
  client: ClusterClient,
  { name }: Generation,
  ids: readonly string[],
): Promise<string[]> {
  const reply = await client.send({
    method: 'POST',
    path: `/${name}/_mget`,
    query: { stored_fields: '_none_', filter_path: 'docs._id,docs.found,docs.error.type' },
    body: { ids },
  });
  const { docs } = bodyOf<{ docs: { _id: string; found?: boolean; error?: object }[] }>(
    reply,
    'looking up pages',
  );
  if (docs.length !== ids.length || docs.some(({ error }) => error !== undefined))
    throw clusterUnavailable('some of the pages cannot be looked up');
  return docs.filter(({ found }) => found !== true).map(({ _id }) => _id);
}
