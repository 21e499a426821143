import { z } from 'zod';
import { languageCode, maxOffset, orAbsent, SearchParams } from './search.ts';
import { SearxngParams } from './searxng.ts';

/** Results on a page for people. */
export const resultsPerPage = 10;
/** The last page of results that can be asked for. */
export const maxResultPages = maxOffset / resultsPerPage + 1;

export const documentTypes = ['pdf', 'doc', 'ppt', 'xls'] as const;
export const periods = ['day', 'week', 'month', 'year'] as const;

/** The parameters of the search page for people. Those of SearXNG mean what they mean there. */
export const PageSearchParams = z.object({
  q: orAbsent(SearchParams.shape.q.optional()).describe(
    'What to look for; without it the page has the box alone.',
  ),
  lang: languageCode.describe('Only pages in this language.'),
  time_range: orAbsent(z.enum(periods).optional()).describe('Only pages that were crawled within this time.'),
  type: orAbsent(z.enum(documentTypes).optional()).describe(
    'Only documents of this type, as filetype: in q.',
  ),
  site: SearchParams.shape.site,
  pageno: SearxngParams.shape.pageno.describe(`Which page of ${resultsPerPage} results.`),
  language: SearxngParams.shape.language,
  categories: SearxngParams.shape.categories,
  safesearch: SearxngParams.shape.safesearch,
  part: orAbsent(z.enum(['1']).optional()).describe(
    'With 1 the results alone, from the own index alone: for results as you type.',
  ),
});
export type PageSearchParams = z.infer<typeof PageSearchParams>;
