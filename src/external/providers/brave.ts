import { z } from 'zod';
import type { TimeRange } from '../../contract/time-range.ts';
import { createProvider, endpoint, type ProviderParts, pageOf } from '../provider.ts';
import { operatorsOf, type QuerySyntax, renderQuery, usualOperators } from '../query/render-query.ts';
import { readRows, text } from '../rows.ts';
import type { SearchProvider } from '../search-provider.ts';

/** search.brave.com/help/operators; a query may have 400 characters and 50 words. */
const syntax: QuerySyntax = {
  ...usualOperators,
  maxLength: 400,
  maxWords: 50,
};

const freshness: Readonly<Record<TimeRange, string>> = { '1d': 'pd', '7d': 'pw', '30d': 'pm', '1y': 'py' };

/** Brave's codes that differ from ISO 639-1. A language without a code is not passed on, but detected in the results. */
const ownCodes: Readonly<Record<string, string>> = { zh: 'zh-hans', ja: 'jp', pt: 'pt-pt', no: 'nb' };
const isoCodes = new Set(
  'ar eu bn bg ca hr cs da nl en et fi fr gl de el gu he hi hu is it kn ko lv lt ms ml mr pl pa ro ru sr sk sl es sv ta te th tr uk vi'.split(
    ' ',
  ),
);

const Answer = z.object({
  type: z.literal('search'),
  query: z
    .object({ more_results_available: z.boolean().catch(false) })
    .catch({ more_results_available: false }),
  web: z.object({ results: z.array(z.unknown()) }).optional(),
});
const Row = z.object({
  url: z.string(),
  title: text,
  description: text,
  page_age: z.unknown().optional(),
  language: z.string().nullish().catch(null),
});

const maxPage = 9;
const pageSize = 20;

/** Brave Search API, api-dashboard.search.brave.com/api-reference/web/search/get. Its offset counts pages. */
export function createBrave(parts: ProviderParts): SearchProvider {
  const { baseUrl = 'https://api.search.brave.com', key } = parts;
  return createProvider(
    {
      name: 'brave',
      supports: { lang: true, timeRange: true, site: true, offset: true, operators: operatorsOf(syntax) },
      // api-dashboard.search.brave.com/app/plans; older plans allow less, and say so in the headers.
      rate: { concurrency: 5, perSecond: 50, burst: 20 },
      markup: { title: 'html', snippet: 'html' },
      unfit: (request) =>
        pageOf(request, pageSize).number > maxPage ? 'it gives its first ten pages only' : undefined,
      toRequest: (request) => {
        const { query, lang, timeRange } = request;
        const q = renderQuery(query, syntax);
        if (q === '') return undefined;
        const { size, number } = pageOf(request, pageSize);
        return {
          url: endpoint(baseUrl, 'res/v1/web/search', {
            q,
            count: String(size),
            offset: String(number),
            result_filter: 'web',
            text_decorations: 'false',
            search_lang: lang && (ownCodes[lang] ?? (isoCodes.has(lang) ? lang : undefined)),
            freshness: timeRange && freshness[timeRange],
          }),
          headers: { 'x-subscription-token': key?.reveal() ?? '' },
        };
      },
      failure: ({ status }) => (status === 422 ? { kind: 'unauthorized' } : undefined),
      parseReply: (json, request) => {
        const answer = Answer.safeParse(json).data;
        const rows = answer && readRows(Row, answer.web?.results ?? []);
        return (
          rows && {
            results: rows.map(({ url, title, description, page_age, language }) => {
              return { url, title, snippet: description, published: page_age, lang: isoLanguage(language) };
            }),
            first: pageOf(request, pageSize).first,
            more: answer.query.more_results_available,
          }
        );
      },
    },
    parts,
  );
}

function isoLanguage(code: string | null | undefined): string | null {
  const own = Object.entries(ownCodes).find(([, brave]) => brave === code)?.[0];
  return own ?? code ?? null;
}
