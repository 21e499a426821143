import { readFileSync } from 'node:fs';
import { queriesFile } from '../engines/corpus-files.ts';
import { notAskedBefore } from '../not-asked.ts';
import { inTurn, searchPath } from './paths.ts';

/** The queries of the corpus. */
export function readQueries(): string[] {
  return readFileSync(queriesFile(), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { q: string }).q);
}

/** Searches of which the service has no answer, however often the queries were asked. */
export function neverTheSame(queries: readonly string[]): () => string {
  const nextQuery = inTurn(queries);
  return () => searchPath(notAskedBefore(nextQuery()));
}
