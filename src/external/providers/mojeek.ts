import { z } from 'zod';
import type { Query } from '../../query/query.ts';
import { createProvider, endpoint, type ProviderParts } from '../provider.ts';
import { inQuotes, operatorsOf, type QuerySyntax, renderQuery } from '../query/render-query.ts';
import { siteFilters } from '../query/site-filters.ts';
import { rangeStartDay } from '../query/time-range.ts';
import type { OwnFailure } from '../reply-failure.ts';
import { readRows, text } from '../rows.ts';
import type { SearchProvider } from '../search-provider.ts';

const syntax: QuerySyntax = { phrase: inQuotes, alternatives: 'first', maxLength: 500 };

const Answer = z.object({
  response: z
    .object({
      status: z.string().optional().catch(undefined),
      head: z.object({ results: z.number() }).optional().catch(undefined),
      results: z.array(z.unknown()).optional(),
    })
    // Without a list and without a status it is no valid empty answer.
    .refine(({ status, results }) => status !== undefined || results !== undefined),
});
const Row = z.object({ url: z.string(), title: text, desc: text });

const pageSize = 100;

/**
 * Mojeek, mojeek.com/support/api/search/request_parameters.html. It requires the key in the query string. Errors have
 * status 200 and are recognized by `response.status`.
 */
export function createMojeek(parts: ProviderParts): SearchProvider {
  const { baseUrl = 'https://www.mojeek.com', key, now } = parts;
  return createProvider(
    {
      name: 'mojeek',
      supports: {
        lang: false,
        timeRange: true,
        site: true,
        offset: true,
        operators: { ...operatorsOf(syntax), exclude: true },
      },
      // None is published.
      rate: { concurrency: 2, perSecond: 1, burst: 5 },
      markup: { title: 'html', snippet: 'html' },
      toRequest: ({ query, lang, timeRange, offset, limit }) => {
        const q = renderQuery(query, syntax);
        if (q === '') return undefined;
        const { included } = siteFilters(query);
        return {
          url: endpoint(baseUrl, 'search', {
            q,
            fmt: 'json',
            s: String(offset + 1),
            t: String(Math.min(limit, pageSize)),
            qm: excludedWords(query) || undefined,
            // It takes one site; several are checked on the results.
            site: included?.length === 1 ? included[0]?.host : undefined,
            since: timeRange && rangeStartDay(timeRange, now()).replaceAll('-', ''),
            // This boosts the language and does not filter.
            lb: lang,
            api_key: key?.reveal(),
          }),
        };
      },
      failure: ({ json }) => ownFailure(Answer.safeParse(json).data?.response.status ?? 'OK'),
      parseReply: (json, { offset, limit }) => {
        const answer = Answer.safeParse(json).data?.response;
        const rows = answer && readRows(Row, answer.results ?? []);
        return (
          rows && {
            results: rows.map(({ url, title, desc }) => ({ url, title, snippet: desc })),
            first: offset,
            more: (answer.head?.results ?? 0) > offset + limit,
          }
        );
      },
    },
    parts,
  );
}

function ownFailure(status: string): OwnFailure | undefined {
  if (status === 'OK') return undefined;
  if (/limit/i.test(status)) return { kind: 'limited', what: 'says that the limit of the key is reached' };
  if (/key|auth|denied/i.test(status)) return { kind: 'unauthorized' };
  return { kind: 'unavailable', what: 'answered with an error' };
}

/** Single words only: Mojeek would exclude each word of a phrase. */
function excludedWords(query: Query): string {
  const parts = query.kind === 'all' ? query.of : [];
  return parts
    .flatMap((part) => (part.kind === 'not' && part.of.kind === 'words' ? part.of.text : []))
    .filter((word) => /^[\p{L}\p{N}]+$/u.test(word))
    .join(' ');
}
