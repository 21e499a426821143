import { queryWords } from '../text/terms.ts';
import type { Query } from './query.ts';

/** Reads what was asked for. Never throws: what is no syntax is text. */
export function parseQuery(q: string): Query {
  const of: Query[] = [];
  for (const text of q.toLowerCase().split(/\s+/)) {
    const words = queryWords(text, { quoted: false });
    if (words.length > 0) of.push({ kind: 'words', text, words, quoted: false });
  }
  return of.length === 1 && of[0] ? of[0] : { kind: 'all', of };
}

/** Whether nothing is left to look for: the one query that the engine refuses. */
export function isEmpty(query: Query): boolean {
  return query.kind === 'all' && query.of.length === 0;
}
