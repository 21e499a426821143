/** Which hosts are worth another try, learnt from what earlier tries gave. In memory. */
export interface HostMisses {
  /** Whether to leave out this try: the last ones in a row gave nothing. One in `sampleEvery` is made all the same. */
  skips(host: string): boolean;
  note(host: string, isHit: boolean): void;
}

const maxMisses = 3;
const sampleEvery = 20;
const maxHosts = 10_000;

export function createHostMisses(): HostMisses {
  const hosts = new Map<string, { misses: number; skipped: number }>();
  return {
    skips(host) {
      const state = hosts.get(host);
      if (state === undefined || state.misses < maxMisses) return false;
      state.skipped += 1;
      return state.skipped % sampleEvery !== 0;
    },
    note(host, isHit) {
      if (isHit) hosts.delete(host);
      else {
        if (hosts.size >= maxHosts) hosts.clear();
        const { misses = 0, skipped = 0 } = hosts.get(host) ?? {};
        hosts.set(host, { misses: misses + 1, skipped });
      }
    },
  };
}
