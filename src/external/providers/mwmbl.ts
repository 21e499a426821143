import { z } from 'zod';
import { createProvider, endpoint, type ProviderParts } from '../provider.ts';
import { operatorsOf, type QuerySyntax, renderQuery } from '../query/render-query.ts';
import { readRows } from '../rows.ts';
import type { SearchProvider } from '../search-provider.ts';

const syntax: QuerySyntax = { alternatives: 'words', maxLength: 500 };

/** A text in pieces, some of which are highlighted. */
const Pieces = z
  .array(z.object({ value: z.string() }))
  .nullish()
  .transform((pieces) => pieces?.map(({ value }) => value).join('') ?? '');
const Row = z.object({ url: z.string(), title: Pieces, extract: Pieces });

/** Mwmbl, api.mwmbl.org/api/v1/docs: a small index by volunteers. A key raises its limits. */
export function createMwmbl(parts: ProviderParts): SearchProvider {
  const { baseUrl = 'https://api.mwmbl.org', key } = parts;
  return createProvider(
    {
      name: 'mwmbl',
      supports: {
        lang: false,
        timeRange: false,
        site: false,
        offset: false,
        operators: operatorsOf(syntax),
      },
      // With a key 5 a second; without a key none is published.
      rate: { concurrency: 2, perSecond: 1, burst: 5 },
      markup: { title: 'plain', snippet: 'plain' },
      toRequest: ({ query }) => {
        const s = renderQuery(query, syntax);
        if (s === '') return undefined;
        return {
          url: endpoint(baseUrl, 'api/v1/search/', { s }),
          ...(key && { headers: { 'x-api-key': key.reveal() } }),
        };
      },
      parseReply: (json) => {
        const rows = readRows(Row, json);
        return (
          rows && {
            results: rows.map(({ url, title, extract }) => ({ url, title, snippet: extract })),
            first: 0,
            more: false,
          }
        );
      },
    },
    parts,
  );
}
