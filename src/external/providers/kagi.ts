import { z } from 'zod';
import { createProvider, endpoint, type ProviderParts } from '../provider.ts';
import { operatorsOf, type QuerySyntax, renderQuery, usualOperators } from '../query/render-query.ts';
import { rangeStartDay } from '../query/time-range.ts';
import type { OwnFailure } from '../reply-failure.ts';
import { readRows, text } from '../rows.ts';
import type { SearchProvider } from '../search-provider.ts';

/** help.kagi.com/kagi/features/search-operators.html */
const syntax: QuerySyntax = {
  ...usualOperators,
  group: (inner) => `(${inner})`,
  maxLength: 500,
};

const Answer = z.object({ data: z.object({ search: z.array(z.unknown()).optional() }) });
/** help.kagi.com/kagi/api/intro/response-format.html */
const Errors = z.object({ error: z.array(z.object({ code: z.number().catch(0) })).min(1) });
const Row = z.object({ url: z.string(), title: text, snippet: text, time: z.unknown().optional() });

/** Maximum `limit`, help.kagi.com/kagi/api/search.html. */
const maxResults = 1024;

/** Kagi Search API v1, help.kagi.com/kagi/api/search.html. */
export function createKagi(parts: ProviderParts): SearchProvider {
  const { baseUrl = 'https://kagi.com', key, now } = parts;
  return createProvider(
    {
      name: 'kagi',
      supports: { lang: false, timeRange: true, site: true, offset: false, operators: operatorsOf(syntax) },
      // None is published.
      rate: { concurrency: 2, perSecond: 1, burst: 5 },
      markup: { title: 'html', snippet: 'html' },
      firstPage: maxResults,
      toRequest: ({ query, timeRange, offset, limit }) => {
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
      failure: ({ json }) => ownFailure(json),
      parseReply: (json) => {
        const answer = Answer.safeParse(json).data;
        const rows = answer && readRows(Row, answer.data.search ?? []);
        return (
          rows && {
            results: rows.map(({ url, title, snippet, time }) => ({ url, title, snippet, published: time })),
            first: 0,
            more: false,
            incomplete: Errors.safeParse(json).success ? 'it reports an error with its results' : undefined,
          }
        );
      },
    },
    parts,
  );
}

/** An error without a list of results, whatever the status. */
function ownFailure(json: unknown): OwnFailure | undefined {
  const errors = Errors.safeParse(json).data?.error;
  if (errors === undefined || Answer.safeParse(json).data?.data.search !== undefined) return undefined;
  const codes = errors.map(({ code }) => code);
  if (codes.includes(2)) return { kind: 'unauthorized' };
  if (codes.includes(100)) return { kind: 'forbidden', what: 'has no billing information for the key' };
  if (codes.includes(101)) return { kind: 'limited', what: 'says that the credit of the key is used up' };
  if (codes.includes(1)) return { kind: 'malformed', what: 'did not understand the request' };
  return { kind: 'unavailable', what: 'answered with an error' };
}
