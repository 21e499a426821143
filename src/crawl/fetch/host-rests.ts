import type { PageStore } from '../../store/page-store.ts';

/** Why and until when a host is left alone. Times are epoch milliseconds, 0 for no pause. */
export interface HostRest {
  /** Requests in a row without an answer. */
  readonly failures: number;
  /** The host requested a pause. */
  readonly askedUntil: number;
  /** The host did not answer. */
  readonly asleepUntil: number;
}

/** Stores the pauses of hosts that may outlive the process. */
export interface HostRests {
  of(host: string): HostRest | undefined;
  /** Stores a long pause, or deletes one that is over. Never throws: if writing fails, the pause is only in memory. */
  save(host: string, rest: HostRest, now: number): void;
}

/** Shorter pauses are not stored: they end with the process. */
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
