import type { Page } from '../page.ts';
import { createPageIntake } from './page/page-intake.ts';
import type { PageStore } from './page-store.ts';
import { createUpkeep, type Upkeep } from './upkeep.ts';

/** The one way by which pages enter and leave the service. Each promise resolves once the change is durable and can be found. */
export interface PageWriter {
  /** Whether the page is stored here: false for one that belongs to another machine. */
  put(page: Page): Promise<boolean>;
  remove(id: string): Promise<void>;
  /**
   * The page was visited again and had not changed: moves its `crawledAt`, and keeps the `structure` that was found where the
   * stored page has none.
   */
  touch(id: string, crawledAt: number, structure?: string): Promise<void>;
  /** Resolves once earlier pages agree with what the new ones showed; see `createUpkeep`. */
  settled(): Promise<void>;
}

interface PageWriterParts {
  readonly store: PageStore;
  /** Brings this process's index up to the store; not given in a process that answers no searches. */
  readonly catchUp?: () => Promise<void>;
  /** One for all of a process; its own where not given. */
  readonly upkeep?: Upkeep;
}

export function createPageWriter({
  store,
  catchUp = async () => {},
  upkeep = createUpkeep({ store, catchUp }),
}: PageWriterParts): PageWriter {
  const pages = createPageIntake(store);
  return {
    put: async (page) => {
      await store.write((writer) => pages.put(writer, page));
      upkeep.start();
      await catchUp();
      return true;
    },
    remove: async (id) => {
      await store.write((writer) => pages.remove(writer, id));
      await catchUp();
    },
    touch: async (id, crawledAt, structure) => {
      await store.write((writer) => pages.touch(writer, id, crawledAt, structure));
      await catchUp();
    },
    settled: upkeep.settled,
  };
}
