import { z } from 'zod';
import { createProvider, endpoint, type ProviderParts } from './provider.ts';
import { operatorsOf, type QuerySyntax, renderQuery, usualOperators } from './render-query.ts';
import { readRows, text } from './rows.ts';
import { rangeStartDay } from './time-range.ts';
import type { WebSearch } from './web-search.ts';

/** help.kagi.com/kagi/features/search-operators.html */
const syntax: QuerySyntax = {
  ...usualOperators,
  group: (inner) => `(${inner})`,
  maxLength: 500,
};

const Answer = z.object({ data: z.object({ search: z.array(z.unknown()).optional() }) });
const Row = z.object({ url: z.string(), title: text, snippet: text, time: z.unknown().optional() });

/** What `limit` may be, help.kagi.com/kagi/api/search.html. */
const maxResults = 1024;

/** Kagi Search API v1, help.kagi.com/kagi/api/search.html. */
export function createKagi(parts: ProviderParts): WebSearch {
  const { baseUrl = 'https://kagi.com', key, now } = parts;
  return createProvider(
    {
      name: 'kagi',
      supports: { lang: false, timeRange: true, site: true, offset: false, operators: operatorsOf(syntax) },
      // None is published.
      rate: { concurrency: 2, perSecond: 1, burst: 5 },
      markup: { title: 'html', snippet: 'html' },
      firstPage: maxResults,
      ask: ({ query, timeRange, offset, limit }) => {
        const q = renderQuery(query, syntax);
        if (q === '') return undefined;
        return {
          url: endpoint(baseUrl, 'api/v1/search'),
          headers: { authorization: `Bearer ${key?.reveal() ?? ''}` },
          json: {
            query: q,
            workflow: 'search',
            limit: Math.min(maxResults, offset + limit),
            ...(timeRange && { filters: { after: rangeStartDay(timeRange, now()) } }),
          },
        };
      },
      read: (json) => {
        const answer = Answer.safeParse(json).data;
        const rows = answer && readRows(Row, answer.data.search ?? []);
        return (
          rows && {
            results: rows.map(({ url, title, snippet, time }) => ({ url, title, snippet, published: time })),
            first: 0,
            more: false,
          }
        );
      },
    },
    parts,
  );
}
