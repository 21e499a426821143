import { exactShare } from '../../src/index/bm25f.ts';
import { parseQuery } from '../../src/query/parser.ts';
import type { Query, Word } from '../../src/query/query.ts';
import { peer as gleaner } from './gleaner.ts';
import type { Peer } from './peer.ts';
import { openSegments, searchSegments } from './segments.ts';

/** The same segments, given what was typed: parsing, operators, stems and words that need not match included. */
export const peer: Peer = {
  build: gleaner.build,
  open: async (folder) => {
    const segments = await openSegments(folder);
    return ({ q }) => {
      const query = parseQuery(q);
      return searchSegments(segments, query, sharesOf(query));
    };
  },
};

function sharesOf(query: Query): Map<string, number> {
  const shares = new Map<string, number>();
  const add = (term: string, share: number): void => {
    shares.set(term, Math.max(shares.get(term) ?? 0, share));
  };
  for (const { term, stem, weight } of wantedWords(query)) {
    add(term, stem === null ? weight : weight * exactShare);
    if (stem !== null) add(stem, weight * (1 - exactShare));
  }
  return shares;
}

function wantedWords(query: Query): readonly Word[] {
  if (query.kind === 'words' || query.kind === 'title') return query.words;
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(wantedWords) : [];
}
