import { bodyOf, type ClusterClient } from '../index/opensearch/cluster-client.ts';
import type { ClusterNames } from '../index/opensearch/generation.ts';
import { type ApiKeyRecord, apiKeysTable } from '../limits/api-keys.ts';
import type { PageStore } from '../store/page-store.ts';

interface KeysParts {
  readonly client: ClusterClient;
  readonly names: ClusterNames;
}

const documentOf = ({ state }: ClusterNames): string => `/${state}/_doc/api-keys`;

/**
 * Returns the function that sends the records of all API keys to the cluster, if one has changed since the last time. A record
 * has the hash of its key, never the key. The function never rejects; after a failure, the next call sends the records.
 */
export function createKeySender({
  client,
  names,
  store,
}: KeysParts & { readonly store: PageStore }): () => Promise<void> {
  const table = store.table<ApiKeyRecord>(apiKeysTable);
  let sent: string | undefined;
  const send = async (): Promise<void> => {
    const records = JSON.stringify([...table.entries()]);
    if (records === sent) return;
    const reply = await client.send({ method: 'PUT', path: documentOf(names), body: { records } });
    if (reply.kind === 'answer' && reply.status < 300) sent = records;
  };
  return () => send().catch(() => {});
}

/** The API keys of a service without a data folder: as they were when they were last read. None before that. */
export interface SharedKeys {
  get(id: string): ApiKeyRecord | undefined;
  /** Never rejects: while the cluster is away, the keys stay as they are. */
  read(): Promise<void>;
}

export function createSharedKeys({ client, names }: KeysParts): SharedKeys {
  let records = new Map<string, ApiKeyRecord>();
  const read = async (): Promise<void> => {
    const reply = await client.send({ method: 'GET', path: documentOf(names) });
    if (reply.kind === 'answer' && reply.status === 404) return;
    const { _source } = bodyOf<{ _source: { records: string } }>(reply, 'reading keys');
    records = new Map(JSON.parse(_source.records));
  };
  return { get: (id) => records.get(id), read: () => read().catch(() => {}) };
}
