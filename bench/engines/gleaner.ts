import type { Peer } from './peer.ts';
import { buildSegments, openSegments, searchSegments } from './segments.ts';
import { queryOf } from './term-query.ts';

/** Our packed segments, given the same words as every other engine: exact terms, no stems. */
export const peer: Peer = {
  build: { from: 'pages', create: async (folder) => buildSegments(folder) },
  open: async (folder) => {
    const segments = await openSegments(folder);
    return ({ terms }) => {
      const shares = new Map([...terms.all.flat(), ...terms.title].map((term) => [term, 1]));
      return searchSegments(segments, queryOf(terms), shares);
    };
  },
};
