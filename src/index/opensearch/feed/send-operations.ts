import type { Sleep } from '../../../async/sleep.ts';
import type { Clock, Log } from '../../../runtime.ts';
import { type ClusterClient, type ClusterReply, diskFull } from '../cluster-client.ts';
import { type BulkOutcome, bulkOutcome, type ItemOutcome } from './bulk-outcome.ts';

/** One change of one page, as lines of a bulk request. */
export interface BulkOperation {
  readonly id: string;
  readonly lines: string;
}

export type SendResult =
  /** The index has every change, or one after it; but for pages that can never be indexed, with the reason of each. */
  | { readonly kind: 'settled'; readonly failed: ReadonlyMap<string, string> }
  /** The index is gone. */
  | { readonly kind: 'gone' }
  /** The cluster was away for so long that the changes must be read again: a removal may have been forgotten. */
  | { readonly kind: 'stale' };

export interface SendParts {
  readonly client: ClusterClient;
  readonly now: Clock;
  readonly sleep: Sleep;
  readonly log: Log;
  /** Ends the waiting and the sending; what is not settled then is sent again by the next writer. */
  readonly signal: AbortSignal;
  /** 0 to below 1, for the jitter of pauses. */
  readonly random?: () => number;
  /** Called while the cluster takes nothing, with the reason. */
  readonly onWait?: (why: string) => void;
}

/** Pauses before a repeated request: doubled each time, up to the longest. */
const firstPauseMs = 500;
const maxPauseMs = 30_000;
/** Half of the time for which a cluster remembers removed pages; see `gcDeletes`. */
const maxRetryMs = 30 * 60_000;
/** Longer than the cluster itself waits for an absent copy. */
const bulkTimeoutMs = 60_000;

/** A page that a cluster refuses alone this often, while it takes others, is larger than what it ever takes. */
const maxRefusalsAlone = 10;

/**
 * Sends changes until every one is settled. Repeats what a cluster cannot take now, without end while it is away: the
 * change log waits. Halves requests that are too large for it. Rejects with the signal's reason.
 */
export async function sendOperations(
  operations: readonly BulkOperation[],
  parts: SendParts,
): Promise<SendResult> {
  const { client, now, sleep, log, signal, random = Math.random, onWait = () => {} } = parts;
  const startedAt = now();
  const failed = new Map<string, string>();
  let waiting = operations;
  let maxOperations = operations.length;
  let repeats = 0;
  const refusals = createRefusals();

  const pause = async (why: string, longest = false): Promise<void> => {
    onWait(why);
    if (longest) log.error({}, `${why}: nothing can be indexed`);
    const ms = longest ? maxPauseMs : Math.min(maxPauseMs, firstPauseMs * 2 ** repeats);
    repeats++;
    await sleep(ms * (0.5 + random() / 2), signal);
  };

  while (waiting.length > 0) {
    signal.throwIfAborted();
    if (repeats > 0 && now() - startedAt > maxRetryMs) return { kind: 'stale' };
    const sent = waiting.slice(0, maxOperations);
    const rest = waiting.slice(sent.length);
    const outcome = bulkOutcome(await bulk(client, sent), sent.length);
    const after = refusals.isNeverTaken(sent, outcome)
      ? failedAlone(sent, 'more than the cluster takes at once')
      : afterRequest(sent, outcome);
    if (after.isGone) return { kind: 'gone' };
    for (const [id, why] of after.failed) failed.set(id, why);
    if (after.isTooMuch) maxOperations = Math.ceil(sent.length / 2);
    // A page that is refused alone lets the others pass.
    waiting = after.isTooMuch && sent.length === 1 ? [...rest, ...after.again] : [...after.again, ...rest];
    if (after.why === undefined) repeats = 0;
    else await pause(after.why, after.why === diskFull);
  }
  return { kind: 'settled', failed };
}

interface AfterRequest {
  readonly again: readonly BulkOperation[];
  readonly failed: readonly (readonly [id: string, why: string])[];
  readonly isGone?: boolean;
  /** Whether the next request is to be half as large. */
  readonly isTooMuch?: boolean;
  /** Why to wait before the next request; undefined if there is no reason. */
  readonly why?: string;
}

/** What is left to do once a request has its outcome. */
function afterRequest(sent: readonly BulkOperation[], outcome: BulkOutcome): AfterRequest {
  switch (outcome.kind) {
    case 'again':
      return { again: sent, failed: [], why: outcome.why };
    case 'too much':
      return { again: sent, failed: [], isTooMuch: true, why: 'the cluster is too busy' };
    case 'too large':
      if (sent.length > 1) return { again: sent, failed: [], isTooMuch: true };
      return failedAlone(sent, 'too large for a request');
    case 'items':
      return afterItems(sent, outcome.items);
  }
}

function failedAlone(sent: readonly BulkOperation[], why: string): AfterRequest {
  return { again: [], failed: sent.map(({ id }) => [id, why]) };
}

/** Counts how often each page was refused alone, and whether the cluster took other requests meanwhile. */
function createRefusals() {
  const counts = new Map<string, { refused: number; takenBefore: number }>();
  let taken = 0;
  return {
    /** Notes the outcome of a request. */
    isNeverTaken: (sent: readonly BulkOperation[], { kind }: BulkOutcome): boolean => {
      if (kind === 'items') taken++;
      const [only] = sent;
      if (kind !== 'too much' || sent.length > 1 || only === undefined) return false;
      const count = counts.get(only.id) ?? { refused: 0, takenBefore: taken };
      counts.set(only.id, count);
      count.refused++;
      return count.refused >= maxRefusalsAlone && taken > count.takenBefore;
    },
  };
}

function afterItems(sent: readonly BulkOperation[], items: readonly ItemOutcome[]): AfterRequest {
  const again = sent.filter((_, index) => items[index]?.kind === 'again');
  const failed = items.flatMap((item, index) =>
    item.kind === 'failed' ? [[(sent[index] as BulkOperation).id, item.why] as const] : [],
  );
  const isDiskFull = items.some((item) => item.kind === 'again' && item.isDiskFull);
  const isGone = items.some(({ kind }) => kind === 'gone');
  return {
    again,
    failed,
    isGone,
    ...(again.length > 0 && { why: isDiskFull ? diskFull : 'a shard is away' }),
  };
}

function bulk(client: ClusterClient, operations: readonly BulkOperation[]): Promise<ClusterReply> {
  return client.send({
    method: 'POST',
    path: '/_bulk',
    query: { timeout: '30s', filter_path: 'errors,error.type,items.*._id,items.*.status,items.*.error.type' },
    lines: operations.map(({ lines }) => lines).join(''),
    retries: 0,
    timeoutMs: bulkTimeoutMs,
  });
}
