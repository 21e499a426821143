import { z } from 'zod';
import type { TimeRange } from '../../contract/time-range.ts';
import { createProvider, endpoint, type ProviderParts, pageOf } from '../provider.ts';
import { operatorsOf, type QuerySyntax, renderQuery, usualOperators } from '../query/render-query.ts';
import { readRows, text } from '../rows.ts';
import type { SearchProvider } from '../search-provider.ts';

/** Google's: support.google.com/websearch/answer/2466433. */
const syntax: QuerySyntax = {
  ...usualOperators,
  group: (inner) => `(${inner})`,
  maxLength: 500,
};

const since: Readonly<Record<TimeRange, string>> = { '1d': 'd', '7d': 'w', '30d': 'm', '1y': 'y' };

const Answer = z.object({ organic: z.array(z.unknown()) });
const Row = z.object({ link: z.string(), title: text, snippet: text, date: z.unknown().optional() });
const Refusal = z.object({ message: z.string() });

const pageSize = 100;

/** Serper, serper.dev: results of Google. */
export function createSerper(parts: ProviderParts): SearchProvider {
  const { baseUrl = 'https://google.serper.dev', key } = parts;
  return createProvider(
    {
      name: 'serper',
      // `hl` is the language of the result page: it influences the ranking but filters nothing.
      supports: { lang: false, timeRange: true, site: true, offset: true, operators: operatorsOf(syntax) },
      // Depends on the plan; none is published for all.
      rate: { concurrency: 5, perSecond: 5, burst: 10 },
      markup: { title: 'plain', snippet: 'plain' },
      toRequest: (request) => {
        const { query, lang, timeRange } = request;
        const q = renderQuery(query, syntax);
        if (q === '') return undefined;
        const { size, number } = pageOf(request, pageSize);
        return {
          url: endpoint(baseUrl, 'search'),
          headers: { 'x-api-key': key?.reveal() ?? '' },
          json: {
            q,
            num: size,
            page: number + 1,
            ...(lang && { hl: lang }),
            ...(timeRange && { tbs: `qdr:${since[timeRange]}` }),
          },
        };
      },
      failure: ({ status, json }) => {
        // It sends 403 for an unknown key, and 400 when the credits are used up.
        if (status === 403) return { kind: 'unauthorized' };
        const { message = '' } = Refusal.safeParse(json).data ?? {};
        const isAnswer = Answer.safeParse(json).success;
        if ((status === 400 || status < 300) && !isAnswer && /credit/i.test(message))
          return { kind: 'limited', what: 'says that the credits of the key are used up' };
        return status < 300 && !isAnswer && message !== ''
          ? { kind: 'unavailable', what: 'answered with an error' }
          : undefined;
      },
      parseReply: (json, request) => {
        const answer = Answer.safeParse(json).data;
        const rows = answer && readRows(Row, answer.organic);
        const { size, first } = pageOf(request, pageSize);
        return (
          rows && {
            results: rows.map(({ link, title, snippet, date }) => {
              return { url: link, title, snippet, published: date };
            }),
            first,
            more: rows.length >= size,
          }
        );
      },
    },
    parts,
  );
}
