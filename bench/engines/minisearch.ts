import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch, { type Options, type Query } from 'minisearch';
import { liveTerm } from '../../src/index/live/to-minisearch.ts';
import type { PageTerms } from './corpus-files.ts';
import { type Peer, wanted } from './peer.ts';
import type { TermQuery } from './term-query.ts';

type Document = { id: number; title: string; headings: string; url: string; body: string };

/** Spelt as our live tier spells them: Chinese terms as they come make loading and look-ups many times slower. */
const options: Options<Document> = {
  fields: ['title', 'headings', 'url', 'body'],
  tokenize: (text) => (text === '' ? [] : text.split(' ')),
  processTerm: liveTerm,
  searchOptions: {
    combineWith: 'AND',
    boost: { title: 4, headings: 2, url: 1.5 },
    tokenize: (term) => [term],
  },
};

/** MiniSearch alone: in memory, kept as its JSON. */
export const peer: Peer = {
  build: {
    from: 'terms',
    create: async (folder) => {
      const index = new MiniSearch<Document>(options);
      let id = 0;
      return {
        add: (batch: readonly PageTerms[]) => {
          for (const [title, headings, url, body] of batch)
            index.add({ id: id++, title, headings, url, body });
        },
        finish: () => writeFileSync(join(folder, 'minisearch.index'), JSON.stringify(index)),
      };
    },
  },
  open: async (folder) => {
    const index = MiniSearch.loadJSON<Document>(
      readFileSync(join(folder, 'minisearch.index'), 'utf8'),
      options,
    );
    return ({ terms }) => {
      const found = index.search(expression(terms));
      return { total: found.length, best: found.slice(0, wanted) };
    };
  },
};

function expression({ all, title, none }: TermQuery): Query {
  const titleQueries = title.length === 0 ? [] : [{ fields: ['title'], queries: [...title] }];
  const queries: Query[] = [
    ...all.map(
      (group): Query =>
        group.length === 1 ? (group[0] as string) : { combineWith: 'OR', queries: [...group] },
    ),
    ...titleQueries,
  ];
  const matching: Query = { combineWith: 'AND', queries };
  return none.length === 0 ? matching : { combineWith: 'AND_NOT', queries: [matching, ...none] };
}
