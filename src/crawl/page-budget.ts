export interface PageBudget {
  /** Waits while the pages under way could use up the rest; false when none is left. */
  reserve(): Promise<boolean>;
  /** Ends a reservation: the page counted, or it did not. */
  settle(counted: boolean): void;
  /** Pages that may still count, those under way included. */
  remaining(): number;
}

/** Never lets more than `maxPages` count, and lets exactly so many when there are enough. */
export function createPageBudget(maxPages: number, alreadyCounted = 0): PageBudget {
  let counted = alreadyCounted;
  let reserved = 0;
  let changed = () => {};

  return {
    async reserve() {
      while (counted < maxPages && counted + reserved >= maxPages) {
        const before = changed;
        await new Promise<void>((resolve) => {
          changed = () => {
            before();
            resolve();
          };
        });
      }
      if (counted >= maxPages) return false;
      reserved += 1;
      return true;
    },
    remaining: () => Math.max(0, maxPages - counted),
    settle(counts) {
      reserved -= 1;
      if (counts) counted += 1;
      const wake = changed;
      changed = () => {};
      wake();
    },
  };
}
