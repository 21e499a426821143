import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageTerms } from './corpus-files.ts';
import { requirePeer } from './install.ts';
import { type Peer, wanted } from './peer.ts';

/** The part of flexsearch that is used here. */
interface Index {
  add(id: number, text: string): void;
  search(options: { query: string; limit: number }): number[];
  export(keep: (key: string, data: string) => void): Promise<void> | void;
  import(key: string, data: string): void;
}

const options = {
  tokenize: 'strict',
  encode: (text: string) => text.split(' ').filter((term) => term !== ''),
};
const moreThanAll = 10_000_000;

function create(): Index {
  const { Index } = requirePeer<{ Index: new (settings: typeof options) => Index }>('flexsearch');
  return new Index(options);
}

/** FlexSearch: all fields as one, since it joins words with AND within a field alone; ranks without BM25. */
export const peer: Peer = {
  build: {
    from: 'terms',
    create: async (folder) => {
      const index = create();
      let id = 0;
      return {
        add: (batch: readonly PageTerms[]) => {
          for (const fields of batch) index.add(id++, fields.join(' '));
        },
        finish: () => index.export((key, data) => writeFileSync(join(folder, key), data)),
      };
    },
  },
  open: async (folder) => {
    const index = create();
    for (const key of readdirSync(folder)) index.import(key, readFileSync(join(folder, key), 'utf8'));
    return ({ terms }) => {
      const found = index.search({ query: terms.all.flat().join(' '), limit: moreThanAll });
      return { total: found.length, best: found.slice(0, wanted) };
    };
  },
};
