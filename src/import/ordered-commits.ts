interface OrderedCommitsOptions<Item> {
  /** Items under way at most, from their reading to their commit. */
  readonly maxUnderWay: number;
  /** Begins the commit of an item; it need not be over before the next one begins. */
  readonly begin: (item: Item) => Promise<void>;
}

/** Reads items concurrently and begins their commits in the order in which they were added. */
export interface OrderedCommits<Item> {
  /** Resolves once there is room for another item. Rejects with the first error of any item. */
  add(reading: Item | Promise<Item>, onDone: () => void): Promise<void>;
  /** Resolves once no item is under way. */
  settled(): Promise<void>;
  /** The first error of an item; undefined while there is none. */
  failure(): { readonly error: unknown } | undefined;
}

export function createOrderedCommits<Item>({
  maxUnderWay,
  begin,
}: OrderedCommitsOptions<Item>): OrderedCommits<Item> {
  const underWay = new Set<Promise<void>>();
  let lastBegun: Promise<unknown> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  return {
    async add(reading, onDone) {
      // The commit is wrapped, since a promise that resolves to another one waits for it.
      const begun = Promise.all([reading, lastBegun]).then(([item]) => ({ committed: begin(item) }));
      lastBegun = begun;
      const ended = begun
        .then(({ committed }) => committed)
        .then(onDone)
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => underWay.delete(ended));
      underWay.add(ended);
      if (underWay.size >= maxUnderWay) await Promise.race(underWay);
      if (failure !== undefined) throw failure.error;
    },
    settled: async () => void (await Promise.all(underWay)),
    failure: () => failure,
  };
}
