import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Page } from '../../../page.ts';
import { type SiteRecord, sitesTable } from '../../../store/host/site-record.ts';
import { createStructures } from '../../../store/page/structures.ts';
import type { PageStore } from '../../../store/page-store.ts';
import { indexChange } from '../../follow.ts';
import { countPages } from '../cluster-search.ts';
import type { ClusterNames, Generation } from '../generation.ts';
import type { PageFacts } from '../page-document.ts';
import { bulkOperation } from './bulk-operation.ts';
import {
  type Checkpoint,
  isCheckpointOf,
  readCheckpoint,
  type StoredCheckpoint,
  writeCheckpoint,
} from './checkpoint.ts';
import { type BulkOperation, type SendParts, sendOperations } from './send-operations.ts';

/** What one step made of a generation. */
export type FeedStep =
  /** There may be more. */
  | 'advanced'
  /** It has everything. */
  | 'done'
  /** Another process writes to it, from this store or another one. */
  | 'other writer'
  /** The index was removed. */
  | 'gone';

/** A generation that follows the change log of the store. */
export interface FeedTarget {
  readonly generation: Generation;
  checkpoint(): Checkpoint;
  /** Whether it was filled from this log; otherwise it must not be written to. */
  readonly isOfLog: boolean;
  /** Sends the next changes. Rejects with `unavailable` while the cluster cannot be written to. */
  step(): Promise<FeedStep>;
}

export interface FeedTargetParts extends SendParts {
  readonly store: PageStore;
  readonly names: ClusterNames;
  /** Tells this process from other writers. */
  readonly writer: string;
}

/** A request has at most this many changes, and about as many bytes. */
const maxChanges = 500;
const maxBytes = 2 * 1024 * 1024;
/** Changes that are prepared in one turn of the event loop: a few tens of milliseconds at most. */
const changesPerTurn = 16;
/** Pages that can never be indexed are named up to this number. */
const maxNamedFailures = 1000;

export async function openFeedTarget(parts: FeedTargetParts, generation: Generation): Promise<FeedTarget> {
  const { client, names, store, writer } = parts;
  const found = await readCheckpoint(client, names, generation.name);
  const start: Checkpoint = { seq: 0, sending: 0, failed: {}, writer };
  let stored: StoredCheckpoint | undefined = found;
  let checkpoint = found?.checkpoint ?? start;
  let isSaved = true;
  const isOfLog = found
    ? isCheckpointOf(checkpoint, store)
    : names.isShared || (await countPages(client, generation.name)) === 0;

  const save = async (): Promise<boolean> => {
    stored = await writeCheckpoint(client, names, generation.name, checkpoint, stored?.token);
    isSaved = stored !== undefined;
    return isSaved;
  };

  const step = async (): Promise<FeedStep> => {
    const { operations, last } = await nextOperations(store, checkpoint.seq, generation);
    if (last === checkpoint.seq) return isSaved || (await save()) ? 'done' : 'other writer';
    checkpoint = { ...checkpoint, sending: last, sendingEpoch: store.epochAt(last), writer };
    if (!(await save())) return 'other writer';
    const result = await sendOperations(operations, parts);
    if (result.kind === 'gone') return 'gone';
    if (result.kind === 'stale') return 'advanced';
    const failed = failuresAfter(checkpoint.failed, operations, result.failed);
    checkpoint = { ...checkpoint, seq: last, epoch: store.epochAt(last), failed };
    isSaved = false;
    return 'advanced';
  };

  return { generation, checkpoint: () => checkpoint, isOfLog, step };
}

/** The next changes as operations, and the last entry of the log that they cover. */
async function nextOperations(store: PageStore, after: number, generation: Generation) {
  const operations: BulkOperation[] = [];
  const sites = store.table<SiteRecord>(sitesTable);
  const structures = createStructures(store);
  const factsOf = (page: Page): PageFacts => ({
    hasLlmsTxt: sites.get(new URL(page.url).host)?.hasLlmsTxt ?? false,
    structure: structures.of(page),
  });
  let last = after;
  let bytes = 0;
  for (const [index, change] of store.changesAfter(after, maxChanges).entries()) {
    if (index % changesPerTurn === changesPerTurn - 1) await nextTurn();
    const operation = bulkOperation(indexChange(change, store), generation, factsOf);
    operations.push(operation);
    last = change.seq;
    bytes += operation.lines.length;
    if (bytes >= maxBytes) break;
  }
  return { operations, last };
}

/** What is known to have failed once these operations are settled. */
function failuresAfter(
  before: Checkpoint['failed'],
  operations: readonly BulkOperation[],
  failed: ReadonlyMap<string, string>,
): Checkpoint['failed'] {
  const after = new Map(Object.entries(before));
  for (const { id } of operations) after.delete(id);
  for (const [id, why] of failed) after.set(id, why);
  return Object.fromEntries([...after].slice(-maxNamedFailures));
}
