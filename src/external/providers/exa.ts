import { z } from 'zod';
import { createProvider, endpoint, type ProviderParts } from '../provider.ts';
import { operatorsOf, type QuerySyntax, renderQuery } from '../query/render-query.ts';
import { siteFilters, siteHosts } from '../query/site-filters.ts';
import { rangeStartSeconds } from '../query/time-range.ts';
import { readRows, text } from '../rows.ts';
import type { SearchProvider } from '../search-provider.ts';

/** A semantic search: it takes plain words and has no operators. */
const syntax: QuerySyntax = { alternatives: 'words', maxLength: 500 };

const Answer = z.object({ results: z.array(z.unknown()) });
/** An error reply: docs.exa.ai/reference/error-codes. */
const Failure = z.object({ error: z.string() });
const Row = z.object({
  url: z.string(),
  title: text,
  text,
  highlights: z.array(z.string()).nullish().catch(null),
  publishedDate: z.unknown().optional(),
});

const maxResults = 100;

/** Exa, exa.ai/docs/reference/search. */
export function createExa(parts: ProviderParts): SearchProvider {
  const { baseUrl = 'https://api.exa.ai', key, now } = parts;
  return createProvider(
    {
      name: 'exa',
      supports: { lang: false, timeRange: true, site: true, offset: false, operators: operatorsOf(syntax) },
      // exa.ai/docs/reference/rate-limits
      rate: { concurrency: 5, perSecond: 10, burst: 10 },
      markup: { title: 'plain', snippet: 'plain' },
      firstPage: maxResults,
      toRequest: ({ query, timeRange, offset, limit }) => {
        const words = renderQuery(query, syntax);
        if (words === '') return undefined;
        const { included, excluded } = siteFilters(query);
        const since = timeRange && new Date(rangeStartSeconds(timeRange, now()) * 1000).toISOString();
        return {
          url: endpoint(baseUrl, 'search'),
          headers: { 'x-api-key': key?.reveal() ?? '' },
          json: {
            query: words,
            type: 'fast',
            numResults: Math.min(maxResults, offset + limit),
            contents: { highlights: true },
            ...(since && { startPublishedDate: since }),
            ...(included && { includeDomains: siteHosts(included) }),
            ...(excluded.length > 0 &&
              !included && { excludeDomains: siteHosts(excluded.filter(({ path }) => path === '')) }),
          },
        };
      },
      failure: ({ status, json }) =>
        status < 300 && Failure.safeParse(json).success && !Answer.safeParse(json).success
          ? { kind: 'unavailable', what: 'answered with an error' }
          : undefined,
      parseReply: (json) => {
        const answer = Answer.safeParse(json).data;
        const rows = answer && readRows(Row, answer.results);
        return (
          rows && {
            results: rows.map(({ url, title, highlights, text: body, publishedDate }) => {
              return { url, title, snippet: highlights?.join(' … ') || body, published: publishedDate };
            }),
            first: 0,
            more: false,
          }
        );
      },
    },
    parts,
  );
}
