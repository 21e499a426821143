import type { PageStore } from '../../store/page-store.ts';

/** Why and until when a host is left alone. Times are epoch milliseconds, 0 for not at all. */
export interface HostRest {
  /** Requests in a row without an answer. */
  readonly failures: number;
  /** The host itself asked for it. */
  readonly askedUntil: number;
  /** It did not answer. */
  readonly asleepUntil: number;
}

/** The pauses of hosts that are longer than a process may live. */
export interface HostRests {
  of(host: string): HostRest | undefined;
  /** Keeps a long pause and forgets one that is over. Never throws: where nothing can be written, only memory knows. */
  save(host: string, rest: HostRest, now: number): void;
}

/** A shorter pause ends with the process. */
const minSavedMs = 30_000;

export function createHostRests(store: PageStore): HostRests {
  const table = store.table<HostRest>('rests');
  return {
    of: (host) => table.get(host),
    save(host, rest, now) {
      const isLong = Math.max(rest.askedUntil, rest.asleepUntil) - now > minSavedMs;
      if (!isLong && table.get(host) === undefined) return;
      store
        .write((writer) => {
          if (isLong) writer.put(table, host, rest);
          else writer.delete(table, host);
        })
        .catch(() => {});
    },
  };
}
