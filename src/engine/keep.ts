import type { Page } from '../page.ts';
import { createCopies } from '../store/copies.ts';
import type { PageStore } from '../store/page-store.ts';

/** How pages come into the service and leave it, for everybody who finds them. */
export interface Keep {
  /** Resolves once the page is durable and can be found. */
  put(page: Page): Promise<void>;
  remove(id: string): Promise<void>;
  /** The page was looked at again and had not changed: moves its `crawledAt` alone. */
  touch(id: string, crawledAt: number): Promise<void>;
}

interface KeepParts {
  readonly store: PageStore;
  /** Brings this process's index up to the store; a process that answers no searches passes one that does nothing. */
  catchUp(): Promise<void>;
}

export function createKeep({ store, catchUp }: KeepParts): Keep {
  const copies = createCopies(store);
  return {
    put: async (page) => {
      await store.write((writer) => copies.put(writer, page));
      await catchUp();
    },
    remove: async (id) => {
      await store.write((writer) => copies.remove(writer, id));
      await catchUp();
    },
    touch: async (id, crawledAt) => {
      await store.write((writer) => {
        const page = store.page(id);
        if (page) writer.putPage({ ...page, crawledAt });
      });
      await catchUp();
    },
  };
}
