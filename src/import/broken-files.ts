import type { Damage, RefusedItem } from './document.ts';

/** A file or folder that could not be read in full, and why. */
export interface BrokenFile {
  readonly path: string;
  readonly why: string;
  /** Of an archive: the number of damaged places and what was lost there; `records` is a minimum. */
  readonly lost?: { readonly places: number; readonly records: number; readonly bytes: number };
}

/** Collects what could not be read: one entry for each file and reason, with the number of places. */
export function createBrokenFiles() {
  const files = new Map<string, BrokenFile>();
  return {
    add(path: string, item: Damage | RefusedItem): void {
      const { why } = item;
      const key = JSON.stringify([path, why]);
      if (item.kind === 'refused') {
        files.set(key, { path, why });
        return;
      }
      const { places, records, bytes } = files.get(key)?.lost ?? { places: 0, records: 0, bytes: 0 };
      const lost = {
        places: places + 1,
        records: records + item.lostRecords,
        bytes: bytes + item.lostBytes,
      };
      files.set(key, { path, why, lost });
    },
    list: (): readonly BrokenFile[] => [...files.values()],
  };
}
