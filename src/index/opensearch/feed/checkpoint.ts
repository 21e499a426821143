import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { ChangeLog } from '../../packed/manifest.ts';
import { bodyOf, type ClusterClient, clusterUnavailable, createIndex } from '../cluster-client.ts';
import type { ClusterNames } from '../generation.ts';

/** How far a generation has the change log of a store. */
const Checkpoint = z.object({
  /** Every change up to this entry is settled. */
  seq: z.int().min(0),
  /** `PageStore.epochAt(seq)`: which log it is. */
  epoch: z.string().optional(),
  /** Changes up to this entry may have been sent. */
  sending: z.int().min(0),
  sendingEpoch: z.string().optional(),
  /** The pages that can never be indexed as they are, with the reason of each. */
  failed: z.record(z.string(), z.string()),
  /** The process that wrote it. */
  writer: z.string(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** A checkpoint, and the token by which it can be replaced by one writer alone. */
export interface StoredCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly token: { readonly if_seq_no: number; readonly if_primary_term: number };
}

/**
 * Whether a generation was filled from this log, and not from that of another store or of another copy of it: also by
 * what was sent and not settled, since that may be in the index with higher versions than this log has.
 */
export function isCheckpointOf({ seq, epoch, sending, sendingEpoch }: Checkpoint, log: ChangeLog): boolean {
  const has = (entry: number, token: string | undefined) =>
    entry === 0 || (entry <= log.lastSeq() && log.epochAt(entry) === token);
  return has(seq, epoch) && has(sending, sendingEpoch);
}

/** Creates the index of the checkpoints if there is none. */
export async function ensureStateIndex(client: ClusterClient, { state }: ClusterNames): Promise<void> {
  await createIndex(client, state, {
    settings: { index: { number_of_shards: 1, auto_expand_replicas: '0-1' } },
    mappings: { dynamic: false },
  });
}

/** Undefined if nothing was settled yet. */
export async function readCheckpoint(
  client: ClusterClient,
  names: ClusterNames,
  generation: string,
): Promise<StoredCheckpoint | undefined> {
  return readDocument(client, names, names.checkpoint(generation));
}

/**
 * Whether every other machine that feeds the generation that answers has filled the next one as far. One that never fed
 * the first does not count.
 */
export async function othersHave(
  client: ClusterClient,
  names: ClusterNames,
  { current, next }: { readonly current: string | undefined; readonly next: string },
): Promise<boolean> {
  const seqs = async (name: string) =>
    Promise.all(
      names
        .checkpointsOfOthers(name)
        .map(async (id) => (await readDocument(client, names, id))?.checkpoint.seq),
    );
  if (!names.isShared || current === undefined) return true;
  const [before, after] = await Promise.all([seqs(current), seqs(next)]);
  return before.every((seq, index) => seq === undefined || (after[index] ?? -1) >= seq);
}

async function readDocument(
  client: ClusterClient,
  { state }: ClusterNames,
  id: string,
): Promise<StoredCheckpoint | undefined> {
  const reply = await client.send({ method: 'GET', path: `/${state}/_doc/${id}` });
  if (reply.kind === 'answer' && reply.status === 404) return undefined;
  const body = bodyOf<{ _source: unknown; _seq_no: number; _primary_term: number }>(reply, 'a checkpoint');
  const read = Checkpoint.safeParse(body._source);
  if (!read.success) throw clusterUnavailable(`the checkpoint ${id} cannot be read`);
  return { checkpoint: read.data, token: { if_seq_no: body._seq_no, if_primary_term: body._primary_term } };
}

/** Replaces a checkpoint; undefined if another writer has replaced it meanwhile. */
export async function writeCheckpoint(
  client: ClusterClient,
  names: ClusterNames,
  generation: string,
  checkpoint: Checkpoint,
  token: StoredCheckpoint['token'] | undefined,
): Promise<StoredCheckpoint | undefined> {
  const reply = await client.send({
    method: 'PUT',
    path: `/${names.state}/_doc/${names.checkpoint(generation)}`,
    query: token ?? { op_type: 'create' },
    body: checkpoint,
    retries: 0,
  });
  if (reply.kind === 'answer' && reply.status !== 409) {
    const { _seq_no, _primary_term } = bodyOf<{ _seq_no: number; _primary_term: number }>(
      reply,
      'a checkpoint',
    );
    return { checkpoint, token: { if_seq_no: _seq_no, if_primary_term: _primary_term } };
  }
  // An answer that was lost may have been for a write of ours.
  const stored = await readCheckpoint(client, names, generation);
  if (stored && isDeepStrictEqual(stored.checkpoint, JSON.parse(JSON.stringify(checkpoint)))) return stored;
  if (reply.kind === 'unreachable') bodyOf(reply, 'a checkpoint');
  return undefined;
}
