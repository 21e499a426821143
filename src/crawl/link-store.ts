import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PageStore, Writer } from '../store/page-store.ts';

export interface LinkStore {
  has(id: string): boolean;
  get(id: string): string[];
  put(writer: Writer, id: string, links: readonly string[]): void;
}

const emptyList = new Uint8Array();

/**
 * The links that a page had at its last visit, which a crawl follows when the site answers "not modified". They are
 * compressed: a hundred links of one site then take about as much room as ten.
 */
export function createLinkStore(store: PageStore): LinkStore {
  const table = store.table<Uint8Array>('links');
  return {
    has: (id) => table.get(id) !== undefined,
    get(id) {
      const packed = table.get(id);
      if (packed === undefined || packed.length === 0) return [];
      return inflateRawSync(packed).toString().split('\n');
    },
    put(writer, id, links) {
      writer.put(table, id, links.length === 0 ? emptyList : deflateRawSync(links.join('\n')));
    },
  };
}
