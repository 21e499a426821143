export interface PageBudget {
  /** Waits while the pages under way could use up the budget; false when it is used up. */
  reserve(): Promise<boolean>;
  /** Ends a reservation; `counted` says whether the page counts. */
  settle(counted: boolean): void;
  /** Pages that may still count, including those under way. */
  remaining(): number;
}

/** At most `maxPages` count over all hosts, and exactly that many when there are enough pages. */
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
