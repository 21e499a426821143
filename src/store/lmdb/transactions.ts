import { ServiceError } from '../../contract/errors.ts';
import { causeOf, commitFailure, isPanic } from '../store-failure.ts';
import type { Root } from './environment.ts';
import { endWithStuckThread } from './stuck-thread.ts';

export interface TransactionsOptions {
  readonly root: Root;
  readonly folder: string;
  /** Who probably holds the lock that a transaction waits for, in words. */
  readonly holder: () => string;
  /** Whether a process that wrote has died since, perhaps in the middle of it. */
  readonly mayHaveDied: () => boolean;
  /** Runs in every transaction, before its work. */
  readonly begin: () => void;
  /** Called after two seconds with the process that a transaction waits for. */
  readonly warn: (message: string) => void;
}

/** Write transactions that never hold up the calling thread, and always settle. */
export interface Transactions {
  /**
   * Runs `work` in one transaction: all of it or nothing. Resolves with what it returned once the commit is on disk.
   * Rejects with what `work` threw, or with a `ServiceError`: `storage_full` when the disk has no room, `unavailable`
   * when the commit failed or another process holds the lock for longer than `maxLockWaitMs`.
   */
  run<Result>(work: () => Result): Promise<Result>;
  /** Whether a thread of this process still waits for the lock after its transaction was given up. */
  isStuck(): boolean;
  /** Why the last transaction could not be written; undefined when it could. */
  failure(): ServiceError | undefined;
  /** Whether LMDB has declared the environment dead for this process: nothing can be read any more, either. */
  isBroken(): boolean;
  /** Resets the last failure: a probe has found that writing is possible again. */
  forgetFailure(): void;
}

/** A wait is named after this long, and given up after that; a commit may take longer than both on a slow disk. */
const noticeAfterMs = 2000;
const maxLockWaitMs = 10_000;
const maxCommitMs = 60_000;
/** Waits are counted in ticks, so that a thread that was busy itself does not take its own delay for another's. */
const tickMs = 250;
/** After the disk was full the next writes are refused at once, or what was under way would try one by one. */
const restAfterFullMs = 1000;

/**
 * LMDB lets one process write at a time, by a lock that a process which is stopped in the middle of a transaction
 * keeps. Transactions wait for it on a thread of lmdb-js; a callback that comes after its transaction was given up
 * does nothing.
 */
export function createTransactions({
  root,
  folder,
  holder,
  mayHaveDied,
  begin,
  warn,
}: TransactionsOptions): Transactions {
  let failure: ServiceError | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  let givenUp = 0;
  /** Transactions and syncs that LMDB has not ended, those that were given up included. */
  let pending = 0;
  let letEnd: (() => void) | undefined;
  let active = 0;
  let recovery: Promise<void> | undefined;

  const waited = (ms: number): ServiceError =>
    new ServiceError(
      'unavailable',
      `nothing could be written to the data folder ${folder} for ${ms / 1000} seconds: its lock is held by ${holder()}. Let that process go on, or end it`,
      { retryAfterSeconds: 5 },
    );

  // Whatever is under way may wait for a lock that no time ends, and the process must be able to.
  const enter = (): void => {
    pending += 1;
    letEnd ??= endWithStuckThread();
  };
  const leave = (): void => {
    pending -= 1;
    if (pending > 0) return;
    letEnd?.();
    letEnd = undefined;
  };

  const noteFailure = (cause: unknown): ServiceError => {
    failure = commitFailure(cause, folder);
    failedAt = performance.now();
    return failure;
  };
  const isJustFull = (): ServiceError | undefined =>
    failure?.code === 'storage_full' && performance.now() - failedAt < restAfterFullMs ? failure : undefined;

  /**
   * LMDB takes over the lock of its fsync from a process that died only outside of a transaction; inside of one, it
   * declares the whole environment of this process dead, reading included. So it is taken here first.
   */
  const recover = (): Promise<void> => {
    const { sync } = root as unknown as { sync: (done: () => void) => void };
    recovery ??= new Promise<void>((resolve) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        givenUp += 1;
        resolve();
      }, maxLockWaitMs);
      enter();
      sync.call(root, () => {
        clearTimeout(timer);
        if (isLate) givenUp -= 1;
        leave();
        resolve();
      });
    }).finally(() => {
      recovery = undefined;
    });
    return recovery;
  };

  const run = async <Result>(work: () => Result): Promise<Result> => {
    if (recovery || (active === 0 && mayHaveDied())) await recover();
    active += 1;
    try {
      return await runNow(work);
    } finally {
      active -= 1;
    }
  };

  const runNow = <Result>(work: () => Result): Promise<Result> => {
    // The thread that waits is the one that all of this process's transactions need.
    if (givenUp > 0) return Promise.reject(waited(maxLockWaitMs));
    const full = isJustFull();
    if (full) return Promise.reject(full);
    return new Promise<Result>((resolve, reject) => {
      let state: 'waiting' | 'begun' | 'given up' = 'waiting';
      let outcome: { value: Result } | { thrown: unknown } | undefined;
      let ticks = 0;
      const timer = setInterval(() => {
        ticks += 1;
        const waitedMs = ticks * tickMs;
        if (waitedMs === noticeAfterMs) warn(`waiting for the lock of the data folder, held by ${holder()}`);
        if (waitedMs < (state === 'waiting' ? maxLockWaitMs : maxCommitMs)) return;
        clearInterval(timer);
        if (state === 'waiting') reject(waited(maxLockWaitMs));
        else reject(unconfirmed(folder));
        state = 'given up';
        givenUp += 1;
      }, tickMs);

      enter();
      root
        .childTransaction(() => {
          if (state === 'given up') return;
          state = 'begun';
          try {
            const fullNow = isJustFull();
            if (fullNow) throw fullNow;
            begin();
            outcome = { value: work() };
          } catch (thrown) {
            outcome = { thrown };
            if (isOfLmdb(thrown)) noteFailure(thrown);
            throw thrown;
          }
        })
        .then(
          () => {
            failure = undefined;
            if (outcome !== undefined && 'value' in outcome) resolve(outcome.value);
          },
          async (error: unknown) => {
            const isOfWork = outcome !== undefined && 'thrown' in outcome && outcome.thrown === error;
            const cause = await causeOf(error);
            reject(isOfWork && !isOfLmdb(error) ? error : noteFailure(cause));
          },
        )
        .finally(() => {
          clearInterval(timer);
          if (state === 'given up') givenUp -= 1;
          leave();
        });
    });
  };

  return {
    run,
    isStuck: () => givenUp > 0,
    isBroken: () => failure !== undefined && isPanic(failure.cause),
    failure: () => failure,
    forgetFailure: () => {
      failure = undefined;
    },
  };
}

/** Errors of LMDB have its code, or the system's, as a number. */
function isOfLmdb(error: unknown): boolean {
  return typeof (error as { code?: unknown }).code === 'number';
}

function unconfirmed(folder: string): ServiceError {
  return new ServiceError(
    'unavailable',
    `a write to the data folder ${folder} was not confirmed by the disk within ${maxCommitMs / 1000} seconds: it may or may not be there`,
    { retryAfterSeconds: 5 },
  );
}
