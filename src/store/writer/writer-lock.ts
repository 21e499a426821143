import type { AcquireOptions, ProcessLock } from './process-lock.ts';

/** This process's hold of the writer's lock: acquired by the first write, held during all writes under way. */
export interface WriterLock {
  /** Runs `work` with the lock held, or returns the process that has it or is next. */
  within<Result>(
    work: () => Promise<Result>,
    options?: AcquireOptions,
  ): Promise<{ result: Result } | { heldBy: number }>;
  /** Releases the lock once no work runs with it. */
  yield(): Promise<void>;
  /** Resolves once no work runs with it. */
  idle(): Promise<void>;
}

export function createWriterLock(lock: ProcessLock): WriterLock {
  let isHeld = false;
  let running = 0;
  let changing: Promise<unknown> = Promise.resolve();
  let onIdle: (() => void)[] = [];

  const idle = async (): Promise<void> => {
    while (running > 0) await new Promise<void>((resolve) => onIdle.push(resolve));
  };
  const ended = (): void => {
    running -= 1;
    if (running > 0) return;
    const waiting = onIdle;
    onIdle = [];
    for (const resolve of waiting) resolve();
  };
  /** Runs acquisitions and releases one after the other. */
  const inTurn = <Result>(change: () => Promise<Result>): Promise<Result> => {
    const changed = changing.then(change);
    changing = changed.catch(() => {});
    return changed;
  };
  const acquire = (options: AcquireOptions) =>
    inTurn(async () => {
      if (isHeld) return undefined;
      const blocked = await lock.acquire(options);
      isHeld = blocked === undefined;
      return blocked;
    });

  return {
    idle,
    async within(work, options = {}) {
      running += 1;
      try {
        const first = isHeld && options.yieldsToNotes ? lock.waiter() : undefined;
        if (first !== undefined) return { heldBy: first };
        const blocked = isHeld ? undefined : await acquire(options);
        return blocked ?? { result: await work() };
      } finally {
        ended();
      }
    },
    async yield() {
      await idle();
      await inTurn(async () => {
        if (!isHeld || running > 0) return;
        isHeld = false;
        await lock.release();
      });
    },
  };
}
