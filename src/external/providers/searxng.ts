import { z } from 'zod';
import { hopsHeader } from '../../contract/headers.ts';
import { createProvider, endpoint, type ProviderParts } from '../provider.ts';
import { operatorsOf, type QuerySyntax, renderQuery, usualOperators } from '../query/render-query.ts';
import { periodNames } from '../query/time-range.ts';
import { readRows, text } from '../rows.ts';
import type { SearchProvider } from '../search-provider.ts';
import { engineFailures } from './engine-failures.ts';

/** Passed on to its engines, most of which support these. */
const syntax: QuerySyntax = {
  ...usualOperators,
  maxLength: 500,
};

/** Instances of Gleaner that a question may have passed: a peer's own SearXNG is asked, a circle of them ends. */
const maxHops = 1;

const Answer = z.object({ results: z.array(z.unknown()), unresponsive_engines: z.unknown().optional() });
const Row = z.object({ url: z.string(), title: text, content: text, publishedDate: z.unknown().optional() });

/** The user's own SearXNG instance: docs.searxng.org, dev/search_api. It needs `json` in `search.formats`. */
export function createSearxng(parts: ProviderParts & { readonly baseUrl: string }): SearchProvider {
  return createProvider(
    {
      name: 'searxng',
      supports: { lang: true, timeRange: true, site: true, offset: false, operators: operatorsOf(syntax) },
      // An own instance: enough for a busy client, and its limiter decides anyway.
      rate: { concurrency: 4, perSecond: 10, burst: 10 },
      markup: { title: 'plain', snippet: 'plain' },
      knowsFileType: false,
      // The address may be that of another Gleaner, which may name this one.
      unfit: ({ hops = 0 }) =>
        hops > maxHops ? 'the question came through two instances of Gleaner' : undefined,
      toRequest: ({ query, lang, timeRange, hops = 0 }) => {
        const q = renderQuery(query, syntax);
        if (q === '') return undefined;
        const time_range = timeRange && periodNames[timeRange];
        return {
          url: endpoint(parts.baseUrl, 'search', {
            q,
            format: 'json',
            pageno: '1',
            // Its messages about engines are recognized in English only.
            locale: 'en',
            language: lang,
            time_range,
          }),
          headers: { [hopsHeader]: String(hops + 1) },
        };
      },
      failure: ({ status }) =>
        status === 403
          ? {
              kind: 'forbidden',
              what: 'does not give JSON (403): add json to search.formats in its settings.yml',
            }
          : undefined,
      parseReply: (json) => {
        const answer = Answer.safeParse(json).data;
        const rows = answer && readRows(Row, answer.results);
        return (
          rows && {
            results: rows.map(({ url, title, content, publishedDate }) => {
              return { url, title, snippet: content, published: publishedDate };
            }),
            first: 0,
            more: false,
            incomplete: engineFailures(answer.unresponsive_engines),
          }
        );
      },
    },
    parts,
  );
}
