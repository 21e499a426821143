import type { LmdbGuard } from '../../store/lmdb/map-value-file.ts';
import type { PageStore } from '../../store/page-store.ts';

/** What packing reads of a store. */
export type PackSource = Pick<
  PageStore,
  'page' | 'pageCount' | 'ids' | 'changesAfter' | 'lastSeq' | 'epochAt' | 'damagedPages'
>;

/** A source whose reads of LMDB are run by `guard`, one at a time. */
export function guardedSource(store: PackSource, guard: LmdbGuard): PackSource {
  return {
    page: (id) => guard(() => store.page(id)),
    pageCount: () => guard(() => store.pageCount()),
    *ids() {
      const ids = guard(() => store.ids()[Symbol.iterator]());
      for (;;) {
        const next = guard(() => ids.next());
        if (next.done) return;
        yield next.value;
      }
    },
    changesAfter: (seq, limit) => guard(() => store.changesAfter(seq, limit)),
    lastSeq: () => guard(() => store.lastSeq()),
    epochAt: (seq) => guard(() => store.epochAt(seq)),
    damagedPages: () => store.damagedPages(),
  };
}
