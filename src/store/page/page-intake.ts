import type { Page } from '../../page.ts';
import { createCopies } from '../duplicates/near-duplicates.ts';
import { createHostFacts } from '../host/host-facts.ts';
import type { PageStore, Writer } from '../page-store.ts';
import { createStructures } from './structures.ts';

/** The table of the ids of pages that were read with credentials. */
export const privatePagesTable = 'private-pages';

/** How pages enter the store and leave it, inside `store.write`: with what follows for other pages. */
export interface PageIntake {
  put(writer: Writer, page: Page): void;
  /** Moves the time of a visit that found the same page; `structure` is that of its text. */
  touch(writer: Writer, id: string, crawledAt: number, structure?: string): void;
  /** False when there was no such page. */
  remove(writer: Writer, id: string): boolean;
}

/** Keeps copies and what is known of each host in step with the pages. */
export function createPageIntake(store: PageStore): PageIntake {
  const copies = createCopies(store);
  const hostFacts = createHostFacts(store);
  const structures = createStructures(store);
  const privatePages = store.table<true>(privatePagesTable);
  const notePrivate = (writer: Writer, id: string, isPrivate: boolean): void => {
    if (isPrivate) writer.put(privatePages, id, true);
    else if (privatePages.get(id)) writer.delete(privatePages, id);
  };
  return {
    put(writer, page) {
      copies.put(writer, page);
      notePrivate(writer, page.id, page.isPrivate ?? false);
      hostFacts.note(writer, page);
      structures.put(writer, page);
    },
    touch(writer, id, crawledAt, structure) {
      const page = store.source(id);
      if (!page) return;
      writer.putPage({ ...page, crawledAt });
      if (structure !== undefined) structures.complete(writer, { ...page, structure });
    },
    remove(writer, id) {
      const head = store.head(id);
      if (head || store.damageOf(id) !== undefined) hostFacts.forget(writer, head ?? { id });
      structures.remove(writer, id);
      notePrivate(writer, id, false);
      return copies.remove(writer, id);
    },
  };
}
