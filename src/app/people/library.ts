import { createSchedule } from '../../crawl/schedule.ts';
import type { Library } from '../../http/pages/people/people-parts.ts';
import { hostOf, hostPageKey, hostPagesTable } from '../../store/host/host-pages.ts';
import type { PageStore } from '../../store/page-store.ts';

export interface LibraryParts {
  readonly store: PageStore;
  /** Whether the store holds no page but our own documentation. */
  readonly isNew: () => boolean;
}

/** What the pages for people know of a data folder. */
export function createLibrary({ store, isNew }: LibraryParts): Library {
  const schedule = createSchedule(store);
  const hostPages = store.table<unknown>(hostPagesTable);
  return {
    isNew,
    facts: (id) => {
      const head = id === '' ? undefined : store.head(id);
      return head && { fileType: head.fileType, nextVisitAt: schedule.of(id)?.dueAt };
    },
    pagesBeside: (id, url, limit, mayShow) => {
      const host = hostOf(url);
      const key = hostPageKey(host, id);
      // Ids are hashes, so those after a page are as good as any.
      const keys = [
        ...hostPages.entries({ from: key, to: `${host}!`, limit: limit + 1 }),
        ...hostPages.entries({ from: `${host} `, to: key, limit }),
      ].map(([found]) => found.slice(host.length + 1));
      const heads = keys.filter((other) => other !== id).flatMap((other) => store.head(other) ?? []);
      return heads
        .filter((head) => !head.isHidden && mayShow(head))
        .slice(0, limit)
        .map((head) => ({ id: head.id, title: head.title || head.url, lang: head.lang }));
    },
  };
}
