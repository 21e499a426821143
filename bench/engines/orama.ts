import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { PageTerms } from './corpus-files.ts';
import { requirePeer } from './install.ts';
import { type Peer, wanted } from './peer.ts';

/** The part of @orama/orama that is used here. */
interface Orama {
  create(options: object): object;
  insert(index: object, document: object): Promise<string> | string;
  search(
    index: object,
    options: object,
  ): Promise<{ count: number; hits: object[] }> | { count: number; hits: object[] };
  save(index: object): object;
  load(index: object, saved: object): void;
}

function create({ create }: Orama): object {
  const tokenizer = {
    language: 'english',
    normalizationCache: new Map(),
    tokenize: (text: string) => [...new Set(text.split(' '))],
  };
  return create({ schema: { text: 'string' }, components: { tokenizer } });
}

/**
 * Orama: all fields as one, since it joins words with AND within a property alone; `exact`, without which every word
 * is a prefix. Kept by v8.serialize: its JSON outgrows the longest string of V8.
 */
export const peer: Peer = {
  build: {
    from: 'terms',
    create: async (folder) => {
      const orama = requirePeer<Orama>('@orama/orama');
      const index = create(orama);
      let id = 0;
      return {
        add: async (batch: readonly PageTerms[]) => {
          for (const fields of batch) await orama.insert(index, { id: String(id++), text: fields.join(' ') });
        },
        finish: () => writeFileSync(join(folder, 'orama.v8'), serialize(orama.save(index))),
      };
    },
  },
  open: async (folder) => {
    const orama = requirePeer<Orama>('@orama/orama');
    const index = create(orama);
    orama.load(index, deserialize(readFileSync(join(folder, 'orama.v8'))) as object);
    return async ({ terms }) => {
      const term = terms.all.flat().join(' ');
      const { count, hits } = await orama.search(index, { term, exact: true, threshold: 0, limit: wanted });
      return { total: count, best: hits };
    };
  },
};
