import { z } from 'zod';
import { SearchParams } from './search.ts';

/** The answer to an OpenSearch suggestion request: the query, and searches that complete it (OpenSearch suggestions 1.1). */
export const Suggestions = z
  // Not a tuple: tools that read OpenAPI stumble over `prefixItems`.
  .array(z.union([z.string(), z.array(z.string())]))
  .length(2)
  .describe('A list of two: `q` as it was given, and a list of titles of pages of the own index.');
export type Suggestions = z.infer<typeof Suggestions>;

/** The parameter of a suggestion request. */
export const SuggestionParams = SearchParams.pick({ q: true });
