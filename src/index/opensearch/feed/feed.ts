import { randomUUID } from 'node:crypto';
import type { Sleep } from '../../../async/sleep.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { Clock, Log } from '../../../runtime.ts';
import type { PageStore } from '../../../store/page-store.ts';
import type { Follower } from '../../follow.ts';
import type { ClusterClient } from '../cluster-client.ts';
import { type ClusterNames, readGeneration } from '../generation.ts';
import type { ClusterShape } from '../mapping.ts';
import { createGeneration, swapGenerations } from './build-generation.ts';
import { othersHave, readCheckpoint } from './checkpoint.ts';
import { areReplaced, type FeedTargets, isOutgrown, openFeedTargets } from './feed-targets.ts';

export interface ClusterFeedParts {
  readonly store: PageStore;
  readonly client: ClusterClient;
  readonly names: ClusterNames;
  readonly shape: ClusterShape;
  readonly log: Log;
  readonly now: Clock;
  readonly sleep: Sleep;
  /** How often to look for changes by other processes. */
  readonly pollMs?: number;
}

/** What a feed does now. */
export interface FeedState {
  readonly kind:
    | 'starting'
    /** This process sends the changes of the store. */
    | 'sending'
    /** Another process of this data folder does. */
    | 'reading'
    /** The cluster does not take them now; `why` tells more. */
    | 'waiting'
    /** It has given up until the next start; `why` tells more. */
    | 'stopped';
  readonly why?: string;
  /** Every change up to this entry is in the generation that answers. */
  readonly settledSeq: number;
  /** The pages that can never be indexed as they are, with the reason of each. */
  readonly failed: Readonly<Record<string, string>>;
}

/** The way of changes from a store into a cluster. */
export interface ClusterFeed extends Follower {
  state(): FeedState;
  /** Resolves once the cluster has everything that was in the store at the time of the call. */
  settle(signal?: AbortSignal): Promise<void>;
}

/** The lock of the data folder that makes one of its processes the sender. */
const lockName = 'index-feed';
/** How often generations, and what another process has settled, are looked at. */
const lookMs = 2000;

/**
 * Sends the changes of a store to every generation that follows it, and builds a new one where terms, averages or the
 * log are others. One process of a data folder sends; `catchUp` only wakes it, since a cluster may be away for hours.
 */
export function feedCluster(parts: ClusterFeedParts): ClusterFeed {
  const { store, client, names, log, now, pollMs = 250 } = parts;
  const writer = randomUUID();
  const ending = new AbortController();
  const { signal } = ending;
  const feedParts = { ...parts, writer, signal, onWait: (why: string) => set('waiting', why) };
  // A generation of another log is replaced at the start alone: two stores must not replace each other's for ever.
  let mayReplace = true;
  let wake = (): void => {};
  let state: FeedState = { kind: 'starting', settledSeq: 0, failed: {} };
  let waiters: (() => void)[] = [];
  let release: (() => Promise<void>) | undefined;

  const set = (kind: FeedState['kind'], why?: string, seen: Partial<FeedState> = {}): void => {
    const { settledSeq, failed } = { ...state, ...seen };
    if (why !== undefined && why !== state.why)
      log.warn({ why }, 'the OpenSearch cluster does not have all pages yet');
    state = { kind, settledSeq, failed, ...(why !== undefined && { why }) };
    const woken = waiters;
    waiters = [];
    for (const waiter of woken) waiter();
  };

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      wake = done;
      signal.addEventListener('abort', done, { once: true });
    });

  /** What another process has settled. */
  const look = async (): Promise<void> => {
    const generation = await readGeneration(client, names.pages);
    const found = generation && (await readCheckpoint(client, names, generation.name));
    if (found)
      set('reading', undefined, { settledSeq: found.checkpoint.seq, failed: found.checkpoint.failed });
    else set('reading');
  };

  /** One step of every generation; whether there may be more. */
  const advance = async ({ current, next }: FeedTargets): Promise<'more' | 'done' | 'gone'> => {
    const steps = await Promise.all([current?.step() ?? 'done', next?.step() ?? 'done']);
    if (steps.includes('other writer')) throw new FeedEnd(otherWriter);
    if (steps.includes('gone')) return 'gone';
    if (current) {
      const { seq, failed } = current.checkpoint();
      set('sending', undefined, { settledSeq: seq, failed });
    }
    return steps.includes('advanced') ? 'more' : 'done';
  };

  /** What comes after the last change: a generation that is complete begins to answer, or a new one is begun. */
  const finish = async (targets: FeedTargets): Promise<'idle' | 'more' | 'reopen'> => {
    const { next } = targets;
    if (next?.generation.meta.swap === 'auto') {
      const [current] = targets.names;
      if (!(await othersHave(client, names, { current, next: next.generation.name }))) return 'idle';
      return (await swapGenerations(parts, next.generation, next.checkpoint())) ? 'reopen' : 'more';
    }
    if (!isOutgrown(targets, store)) return 'idle';
    await createGeneration(parts, 'next');
    return 'reopen';
  };

  /** Sends until the signal is aborted, or until generations are others than before. */
  const send = async (): Promise<void> => {
    const targets = await openFeedTargets(feedParts, mayReplace);
    if (!targets) throw new FeedEnd(otherLog);
    mayReplace = false;
    let lookedAt = now();
    while (!signal.aborted) {
      const progress = await advance(targets);
      const then = progress === 'done' ? await finish(targets) : progress;
      if (then === 'gone' || then === 'reopen') return;
      if (then === 'more') continue;
      await pause(pollMs);
      if (now() - lookedAt < lookMs) continue;
      lookedAt = now();
      if (await areReplaced(targets, parts)) return;
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        release ??= await store.acquireLock(lockName);
        if (release) {
          await send();
        } else {
          await look();
          await pause(lookMs);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof ServiceError)) throw error;
        set('waiting', error.message);
        await pause(lookMs);
      }
    }
  };

  const running = run().catch((error: unknown) => {
    if (!(error instanceof FeedEnd)) log.error({ err: error }, 'the index could not follow the store');
    set('stopped', (error as Error).message);
  });

  return {
    catchUp: async () => wake(),
    state: () => state,
    settle: async (given) => {
      const seq = store.lastSeq();
      wake();
      while (state.settledSeq < seq) {
        given?.throwIfAborted();
        if (state.kind === 'stopped') throw new ServiceError('unavailable', `${state.why}`);
        await new Promise<void>((resolve) => {
          waiters.push(resolve);
          given?.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    },
    stop: async () => {
      ending.abort(new Error('the service stops'));
      await running;
      await release?.();
    },
  };
}

const otherWriter = 'another process sends to the same index: give each data folder a prefix of its own';
const otherLog =
  'the index was filled from another data folder: give each a prefix of its own, or restart this service to replace it';

/** A reason not to go on until the next start. */
class FeedEnd extends Error {}
