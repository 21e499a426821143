import type { ClaimOptions, Place } from './process-lock.ts';

/** This process's hold of the writer's lock: acquired by the first write, held during all writes under way. */
export interface WriterPlace {
  /** Runs `work` with the lock held, or returns the process that has it or is next. */
  within<Result>(
    work: () => Promise<Result>,
    options?: ClaimOptions,
  ): Promise<{ result: Result } | { heldBy: number }>;
  /** Releases the lock once no work runs with it. */
  yield(): Promise<void>;
  /** Resolves once no work runs with it. */
  idle(): Promise<void>;
}

export function createWriterPlace(place: Place): WriterPlace {
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
  /** Claims and releases run one after the other. */
  const inTurn = <Result>(change: () => Promise<Result>): Promise<Result> => {
    const changed = changing.then(change);
    changing = changed.catch(() => {});
    return changed;
  };
  const take = (options: ClaimOptions) =>
    inTurn(async () => {
      if (isHeld) return undefined;
      const taken = await place.claim(options);
      isHeld = taken === undefined;
      return taken;
    });

  return {
    idle,
    async within(work, options = {}) {
      running += 1;
      try {
        const first = isHeld && options.yieldsToNotes ? place.waiter() : undefined;
        if (first !== undefined) return { heldBy: first };
        const taken = isHeld ? undefined : await take(options);
        return taken ?? { result: await work() };
      } finally {
        ended();
      }
    },
    async yield() {
      await idle();
      await inTurn(async () => {
        if (!isHeld || running > 0) return;
        isHeld = false;
        await place.release();
      });
    },
  };
}
