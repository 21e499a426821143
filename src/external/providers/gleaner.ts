import { z } from 'zod';
import { externalHeader, hopsHeader } from '../../contract/headers.ts';
import { maxLimit, maxOffset } from '../../contract/search.ts';
import { createProvider, endpoint, type ProviderParts } from '../provider.ts';
import { operatorsOf, type QuerySyntax, renderQuery, usualOperators } from '../query/render-query.ts';
import { readRows, text } from '../rows.ts';
import type { SearchProvider } from '../search-provider.ts';

/** Our own, docs/query-language.md. */
const syntax: QuerySyntax = {
  ...usualOperators,
  group: (inner) => `(${inner})`,
  maxLength: 512,
};

const Answer = z.object({ total: z.number().catch(0), results: z.array(z.unknown()) });
const Row = z.object({
  url: z.string(),
  title: text,
  snippet: text,
  lang: z.string().nullish().catch(null),
  published_at: z.unknown().optional(),
});

/** Another instance of Gleaner, such as a team's behind a developer's own. */
export function createGleaner(parts: ProviderParts & { readonly baseUrl: string }): SearchProvider {
  const { baseUrl, key } = parts;
  return createProvider(
    {
      name: 'gleaner',
      supports: { lang: true, timeRange: true, site: true, offset: true, operators: operatorsOf(syntax) },
      // The public tier of an instance: 60 a minute, 20 at once.
      rate: { concurrency: 4, perSecond: 1, burst: 20 },
      markup: { title: 'plain', snippet: 'plain' },
      unfit: ({ hops = 0, offset }) => {
        if (hops > 0) return 'the question came from another instance of Gleaner';
        return offset > maxOffset ? `it gives its first ${maxOffset + maxLimit} results only` : undefined;
      },
      toRequest: ({ query, lang, timeRange, limit, offset, hops = 0 }) => {
        const q = renderQuery(query, syntax);
        if (q === '') return undefined;
        return {
          url: endpoint(baseUrl, 'api/v1/search', {
            q,
            limit: String(Math.min(limit, maxLimit)),
            offset: String(offset),
            lang,
            time_range: timeRange,
          }),
          headers: {
            [hopsHeader]: String(hops + 1),
            ...(key && { authorization: `Bearer ${key.reveal()}` }),
          },
        };
      },
      parseReply: (json, { offset }, { headers }) => {
        const answer = Answer.safeParse(json).data;
        const rows = answer && readRows(Row, answer.results);
        return (
          rows && {
            results: rows.map(({ url, title, snippet, lang, published_at }) => {
              return {
                url,
                title,
                snippet,
                published: published_at,
                lang: lang === 'und' ? null : (lang ?? null),
              };
            }),
            first: offset,
            more: offset + rows.length < answer.total,
            incomplete: incompleteAt(headers[externalHeader.toLowerCase()]),
          }
        );
      },
    },
    parts,
  );
}

/** The state of the other instance's own external search; docs/external.md. */
function incompleteAt(state: string | undefined): string | undefined {
  if (state === 'failed') return 'it could ask none of its own search services';
  return state === 'partial' ? 'it could not ask all of its own search services' : undefined;
}
