import { setTimeout as after } from 'node:timers/promises';

/** The worker waits for ever in state `closed`, which `Worker.terminate` ends. */
const states = { free: 0, held: 1, closed: 2 } as const;
/** The worker may be stuck in the file system. */
const maxWaitMs = 5000;
const pollMs = 2;

/** Shared memory for one lock. */
export function terminationLockMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/**
 * Runs work in a worker that must not be terminated meanwhile. Opening an LMDB environment is such work: its native code
 * ends the whole process if the thread is terminated at that moment.
 */
export function withoutTermination<Result>(memory: SharedArrayBuffer, work: () => Result): Result {
  const state = new Int32Array(memory);
  while (Atomics.compareExchange(state, 0, states.free, states.held) !== states.free)
    Atomics.wait(state, 0, states.closed);
  try {
    return work();
  } finally {
    Atomics.store(state, 0, states.free);
  }
}

/** Resolves once the worker does no such work and will not begin any; at the latest after `maxWaitMs`. */
export async function allowTermination(memory: SharedArrayBuffer): Promise<void> {
  const state = new Int32Array(memory);
  const until = performance.now() + maxWaitMs;
  while (Atomics.compareExchange(state, 0, states.free, states.closed) === states.held) {
    if (performance.now() > until) return;
    await after(pollMs);
  }
}
