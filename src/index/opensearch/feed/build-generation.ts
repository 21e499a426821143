import type { PageStore } from '../../../store/page-store.ts';
import { averageLengthsOf } from '../../average-lengths.ts';
import { bodyOf, type ClusterClient, clusterUnavailable, createIndex } from '../cluster-client.ts';
import { countPages } from '../cluster-search.ts';
import type { ClusterNames, Generation } from '../generation.ts';
import { type ClusterShape, type GenerationMeta, generationBody, servingSettings } from '../mapping.ts';

export interface BuildParts {
  readonly client: ClusterClient;
  readonly names: ClusterNames;
  readonly store: PageStore;
  readonly shape: ClusterShape;
}

/** How long copies of a new generation may take before it is asked for again. */
const maxGreenWaitSeconds = 60;

/**
 * Creates an empty generation: the one that answers, if there is none yet, or the next one. Does nothing if another
 * process is faster.
 */
export async function createGeneration(
  { client, names, store, shape }: BuildParts,
  alias: 'pages' | 'next',
  swap: GenerationMeta['swap'] = 'auto',
): Promise<void> {
  const existing = await aliasesOfGenerations(client, names);
  // The name of the new one depends on what was read here. So two processes that begin at the same time take the same name.
  if (Object.values(existing).some(({ aliases }) => names[alias] in aliases)) return;
  const numbers = Object.keys(existing).map((each) => Number(/\d+$/.exec(each)?.[0] ?? 0));
  const name = names.generation(Math.max(0, ...numbers) + 1);
  const meta = { averageLengths: averageLengthsOf(store), averagedOver: store.pageCount(), swap };
  const body = { ...generationBody(shape, meta, alias === 'pages'), aliases: { [names[alias]]: {} } };
  await createIndex(client, name, body, { retries: 0, timeoutMs: 60_000 });
}

/** Removes a generation that was never finished. */
export async function dropGeneration(client: ClusterClient, { name }: Generation): Promise<void> {
  bodyOf(await client.send({ method: 'DELETE', path: `/${name}` }), `removing ${name}`);
}

/** The pages of the store that an index must have, without those that can never be indexed. */
export function countSearchable(store: PageStore, failed: Readonly<Record<string, string>>): number {
  let count = 0;
  for (const { id, isHidden } of store.heads()) if (!isHidden && !(id in failed)) count++;
  return count;
}

/**
 * Lets a filled generation answer: makes its copies, waits for them, compares its number of pages with the store, and
 * moves the alias in one step. The generation before it is kept until the next one is built. False if pages changed
 * meanwhile, so that it has to catch up first; `unavailable` if pages are missing.
 */
export async function swapGenerations(
  { client, names, store, shape }: BuildParts,
  { name }: Generation,
  at: { readonly seq: number; readonly failed: Readonly<Record<string, string>> },
): Promise<boolean> {
  const settings = { index: servingSettings(shape) };
  bodyOf(await client.send({ method: 'PUT', path: `/${name}/_settings`, body: settings }), 'settings');
  bodyOf(await client.send({ method: 'POST', path: `/${name}/_refresh`, timeoutMs: 60_000 }), 'a refresh');
  const health = await client.send({
    method: 'GET',
    path: `/_cluster/health/${name}`,
    query: {
      wait_for_status: 'green',
      wait_for_no_initializing_shards: true,
      timeout: `${maxGreenWaitSeconds}s`,
    },
    timeoutMs: 2 * maxGreenWaitSeconds * 1000,
  });
  if (health.kind !== 'answer' || health.status !== 200)
    throw clusterUnavailable(`the copies of ${name} are not complete`);
  const found = await countPages(client, name);
  const expected = countSearchable(store, at.failed);
  if (store.lastSeq() !== at.seq) return false;
  // The pages of other machines are there, too.
  if (names.isShared ? found < expected : found !== expected)
    throw clusterUnavailable(`${name} has ${found} of ${expected} pages`);
  const old = await aliasedNames(client, names.pages);
  const actions = [
    ...old.map((index) => ({ remove: { index, alias: names.pages, must_exist: true } })),
    { remove: { index: name, alias: names.next, must_exist: true } },
    { add: { index: name, alias: names.pages } },
  ];
  bodyOf(await client.send({ method: 'POST', path: '/_aliases', body: { actions }, retries: 0 }), 'the swap');
  for (const older of Object.keys(await aliasesOfGenerations(client, names)))
    if (older !== name && !old.includes(older)) await client.send({ method: 'DELETE', path: `/${older}` });
  return true;
}

async function aliasedNames(client: ClusterClient, alias: string): Promise<string[]> {
  const reply = await client.send({ method: 'GET', path: `/_alias/${alias}` });
  if (reply.kind === 'answer' && reply.status === 404) return [];
  return Object.keys(bodyOf<object>(reply, `the alias ${alias}`));
}

/** The aliases of each generation, by its name. */
async function aliasesOfGenerations(
  client: ClusterClient,
  { generations }: ClusterNames,
): Promise<Record<string, { readonly aliases: object }>> {
  return bodyOf(await client.send({ method: 'GET', path: `/${generations}/_alias` }), 'the aliases');
}
