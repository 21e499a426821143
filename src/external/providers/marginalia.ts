import { z } from 'zod';
import { createProvider, endpoint, type ProviderParts, pageOf } from '../provider.ts';
import { inQuotes, operatorsOf, type QuerySyntax, renderQuery } from '../query/render-query.ts';
import { readRows, text } from '../rows.ts';
import type { ProviderQuota, SearchProvider } from '../search-provider.ts';

/** The operators of marginalia-search.com: quotes, a hyphen, `site:` with a host. */
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
/** Time limit on its side; 50 to 250 ms are allowed. */
const timeoutMs = 250;

/**
 * Marginalia, about.marginalia-search.com/article/api. Without a key the shared one, `public`, is used. Results are under
 * CC BY-NC-SA 4.0, so it is off by default.
 */
export function createMarginalia(parts: ProviderParts): SearchProvider {
  const { baseUrl = 'https://api2.marginalia-search.com', key } = parts;
  return createProvider(
    {
      name: 'marginalia',
      supports: { lang: false, timeRange: false, site: true, offset: true, operators: operatorsOf(syntax) },
      // None is published for the shared key, which has many users.
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
        // The older API sends 503 where the newer one sends 429.
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
