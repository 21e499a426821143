import { parseQuery } from '../query/parser.ts';
import type { Query } from '../query/query.ts';

/** The words that a query asks for in texts and titles, without its operators and without what it excludes. */
export function plainWords(q: string): string {
  return wordsIn(parseQuery(q)).join(' ');
}

function wordsIn(query: Query): string[] {
  if (query.kind === 'words' || query.kind === 'title') return [query.text];
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(wordsIn) : [];
}
