import { z } from 'zod';
import { createProvider, endpoint, type ProviderParts, pageOf } from '../provider.ts';
import { inQuotes, operatorsOf, type QuerySyntax, renderQuery } from '../query/render-query.ts';
import { readRows, text } from '../rows.ts';
import type { ProviderQuota, SearchProvider } from '../search-provider.ts';

/** The key words of marginalia-search.com: quotes, a hyphen, `site:` of a host. */
const syntax: QuerySyntax = {
  phrase: inQuotes,
  exclude: (operand) => `-${operand}`,
  site: ({ host }) => `site:${host}`,
  alternatives: 'first',
  maxLength: 500,
};

const Answer = z.object({ pages: z.number().catch(1), results: z.array(z.unknown()) });
const Row = z.object({ url: z.string(), title: text, description: text });

const pageSize = 100;
/** What it may take on its side, of 50 to 250 ms. */
const timeoutMs = 250;

/**
 * Marginalia, about.marginalia-search.com/article/api; without a key with the shared one, `public`. Results are under
 * CC BY-NC-SA 4.0, so it is on only where somebody turned it on.
 */
export function createMarginalia(parts: ProviderParts): SearchProvider {
  const { baseUrl = 'https://api2.marginalia-search.com', key } = parts;
  return createProvider(
    {
      name: 'marginalia',
      supports: { lang: false, timeRange: false, site: true, offset: true, operators: operatorsOf(syntax) },
      // None is published for the shared key, which many use at once.
      rate: { concurrency: 1, perSecond: 1, burst: 2 },
      markup: { title: 'plain', snippet: 'plain' },
      toRequest: (request) => {
        const query = renderQuery(request.query, syntax);
        if (query === '') return undefined;
        const { size, number } = pageOf(request, pageSize);
        return {
          url: endpoint(baseUrl, 'search', {
            query,
            count: String(size),
            page: String(number + 1),
            timeout: String(timeoutMs),
          }),
          headers: { 'api-key': key?.reveal() ?? 'public' },
        };
      },
      failure: ({ status }) => {
        if (status === 400) return { kind: 'unauthorized' };
        // The older interface says so where the newer one says 429.
        return status === 503 ? { kind: 'limited' } : undefined;
      },
      parseReply: (json, request, { headers }) => {
        const answer = Answer.safeParse(json).data;
        const rows = answer && readRows(Row, answer.results);
        const { number, first } = pageOf(request, pageSize);
        return (
          rows && {
            results: rows.map(({ url, title, description }) => ({ url, title, snippet: description })),
            first,
            more: number + 1 < answer.pages,
            quota: dailyQuota(headers['api-remaining-daily-capacity']),
          }
        );
      },
    },
    parts,
  );
}

function dailyQuota(header: string | undefined): ProviderQuota | null {
  const remaining = Number.parseInt(header ?? '', 10);
  return remaining >= 0 ? { remaining, limit: null, resetSeconds: null } : null;
}
