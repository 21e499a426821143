import type { Page } from '../page.ts';
import { createPageIntake } from './page/page-intake.ts';
import type { PageStore } from './page-store.ts';
import { createUpkeep, type Upkeep } from './upkeep.ts';

/** How pages come into the service and leave it, for everybody who finds them. */
export interface Keep {
  /** Resolves once the page is durable and can be found. */
  put(page: Page): Promise<void>;
  remove(id: string): Promise<void>;
  /** The page was looked at again and had not changed: moves its `crawledAt` alone. */
  touch(id: string, crawledAt: number): Promise<void>;
  /** Resolves once earlier pages are brought in line with what the new ones taught; see `createUpkeep`. */
  settled(): Promise<void>;
}

interface KeepParts {
  readonly store: PageStore;
  /** Brings this process's index up to the store; a process that answers no searches passes one that does nothing. */
  catchUp(): Promise<void>;
  /** One for all of a process; its own where not given. */
  readonly upkeep?: Upkeep;
}

export function createKeep({ store, catchUp, upkeep = createUpkeep({ store, catchUp }) }: KeepParts): Keep {
  const pages = createPageIntake(store);
  return {
    put: async (page) => {
      await store.write((writer) => pages.put(writer, page));
      upkeep.start();
      await catchUp();
    },
    remove: async (id) => {
      await store.write((writer) => pages.remove(writer, id));
      await catchUp();
    },
    touch: async (id, crawledAt) => {
      await store.write((writer) => {
        const page = store.source(id);
        if (page) writer.putPage({ ...page, crawledAt });
      });
      await catchUp();
    },
    settled: upkeep.settled,
  };
}
