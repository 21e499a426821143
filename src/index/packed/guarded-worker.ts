import { setTimeout as after } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { LmdbGuard } from '../../store/lmdb/map-value-file.ts';

/** The worker waits for ever in state `closed`, which `Worker.terminate` ends. */
const states = { free: 0, held: 1, closed: 2 } as const;
/** The worker may be stuck in the file system. */
const maxWaitMs = 5000;
const pollMs = 2;

/** What a guarded worker is told besides its own data. */
export interface Guarded {
  /** Shared memory of one lock, which is held while the worker must not be terminated. */
  readonly terminationLock: SharedArrayBuffer;
}

/**
 * A worker that uses LMDB. Native code of lmdb-js ends the whole process if it is called in a thread that is being
 * terminated, or while it is loaded there.
 */
export interface GuardedWorker {
  readonly worker: Worker;
  /** Terminates the worker once it does no such work, and at the latest after 5 s. Resolves when it has ended. */
  end(): Promise<void>;
}

/** Starts a worker whose module calls `terminationGuard` first. */
export function startGuardedWorker<Data extends object>(file: URL, data: Data): GuardedWorker {
  const terminationLock = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const state = new Int32Array(terminationLock);
  // Until its modules are loaded.
  state[0] = states.held;
  const worker = new Worker(file, { workerData: { ...data, terminationLock } satisfies Data & Guarded });
  let hasEnded = false;
  worker.once('exit', () => {
    hasEnded = true;
  });
  return {
    worker,
    end: async () => {
      const until = performance.now() + maxWaitMs;
      while (Atomics.compareExchange(state, 0, states.free, states.closed) === states.held) {
        if (hasEnded || performance.now() > until) break;
        await after(pollMs);
      }
      await worker.terminate();
    },
  };
}

export interface TerminationGuard {
  /** Runs work in which the worker must not be terminated. It cannot be nested. */
  readonly run: LmdbGuard;
  /** From now on the worker is not terminated, as it ends by itself. */
  hold(): void;
}

/** Lets a worker be terminated, now that its modules are loaded, except within guarded work. */
export function terminationGuard({ terminationLock }: Guarded): TerminationGuard {
  const state = new Int32Array(terminationLock);
  const hold = (): void => {
    const before = Atomics.compareExchange(state, 0, states.free, states.held);
    if (before === states.held) throw new Error('guarded work cannot be nested');
    if (before === states.closed) Atomics.wait(state, 0, states.closed);
  };
  const release = (): void => void Atomics.store(state, 0, states.free);
  release();
  return {
    run: (work) => {
      hold();
      try {
        return work();
      } finally {
        release();
      }
    },
    hold,
  };
}
