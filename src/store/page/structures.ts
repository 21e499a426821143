import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Page } from '../../page.ts';
import { decodeStructure, realignMarks, type TextStructure } from '../../text/structure/marks.ts';
import type { PageStore, Writer } from '../page-store.ts';

/** The table of what the stretches of stored texts are; apart from the pages, because few readers ask for it. */
const structuresTable = 'structures';

interface StoredStructure {
  /** CRC-32 of the text that it belongs to: a text that was put without a structure leaves an older one behind. */
  readonly text: number;
  readonly packed: Uint8Array;
}

/** Keeps and reads the structure of pages beside their texts. */
export function createStructures(store: PageStore) {
  const table = store.table<StoredStructure>(structuresTable);

  const put = (writer: Writer, { id, body, structure }: Page): void => {
    if (structure === undefined) return;
    const stored = { text: crc32(body.toWellFormed()), packed: deflateRawSync(structure.toWellFormed()) };
    writer.put(table, id, stored);
  };

  return {
    put,
    /** Puts the structure of a stored page that has none: an older version stored it. */
    complete: (writer: Writer, page: Page): void => {
      if (table.get(page.id)?.text !== crc32(page.body)) put(writer, page);
    },
    /** Copies the structure of a page whose id is another now. */
    copy: (writer: Writer, from: string, to: string): void => {
      const stored = table.get(from);
      if (stored !== undefined) writer.put(table, to, stored);
    },
    remove: (writer: Writer, id: string): void => writer.delete(table, id),
    /**
     * The structure of a page that was read from the store or visited just now; undefined for one that was stored without,
     * by an older version or in a format that has none.
     */
    of: (page: Page): TextStructure | undefined => {
      if (page.structure !== undefined) return decodeStructure(page.structure);
      const stored = table.get(page.id);
      const source = stored && store.source(page.id);
      if (!stored || !source || stored.text !== crc32(source.body)) return undefined;
      const { base, marks } = decodeStructure(inflateRawSync(stored.packed).toString());
      // The page is read without the frame of its site, which is whole lines.
      return { base, marks: realignMarks(marks, source.body, page.body, '\n') };
    },
  };
}
