import { z } from 'zod';
import { createProvider, endpoint, type ProviderParts } from '../provider.ts';
import { operatorsOf, type QuerySyntax, renderQuery } from '../query/render-query.ts';
import { siteFilters, siteHosts } from '../query/site-filters.ts';
import { periodNames } from '../query/time-range.ts';
import { readRows, text } from '../rows.ts';
import type { SearchProvider } from '../search-provider.ts';

/** A semantic search: it takes plain words and has no operators. */
const syntax: QuerySyntax = { alternatives: 'words', maxLength: 400 };

const Answer = z.object({ results: z.array(z.unknown()) });
const Row = z.object({ url: z.string(), title: text, content: text, published_date: z.unknown().optional() });
const Refusal = z.object({ error: z.object({ retry_after_seconds: z.number().min(0) }) });
/** `detail.error` with a key, `error` without; docs.tavily.com. */
const Failure = z
  .object({ error: z.unknown(), detail: z.unknown() })
  .partial()
  .refine(({ error, detail }) => Boolean(error ?? detail));

const maxResults = 20;
/** Tavily's own statuses for the limits of a plan (tavily-python, errors). */
const planLimits = new Set([432, 433]);

/** Tavily, docs.tavily.com; without a key in its keyless mode, docs.tavily.com/documentation/keyless. */
export function createTavily(parts: ProviderParts): SearchProvider {
  const { baseUrl = 'https://api.tavily.com', key } = parts;
  return createProvider(
    {
      name: 'tavily',
      supports: { lang: false, timeRange: true, site: true, offset: false, operators: operatorsOf(syntax) },
      // docs.tavily.com/documentation/rate-limits, for a development key; the keyless mode has none that is published.
      rate: { concurrency: 4, perSecond: 100 / 60, burst: 10 },
      markup: { title: 'plain', snippet: 'plain' },
      firstPage: maxResults,
      toRequest: ({ query, timeRange, offset, limit }) => {
        const words = renderQuery(query, syntax);
        if (words === '') return undefined;
        const { included, excluded } = siteFilters(query);
        return {
          url: endpoint(baseUrl, 'search'),
          headers: key ? { authorization: `Bearer ${key.reveal()}` } : { 'x-tavily-access-mode': 'keyless' },
          json: {
            query: words,
            max_results: Math.min(maxResults, offset + limit),
            ...(timeRange && { time_range: periodNames[timeRange] }),
            ...(included && { include_domains: siteHosts(included) }),
            // Whole hosts only: excluding a host because of one of its paths would exclude too much.
            ...(excluded.length > 0 && {
              exclude_domains: siteHosts(excluded.filter(({ path }) => path === '')),
            }),
          },
        };
      },
      failure: ({ status, json }) => {
        if (planLimits.has(status))
          return { kind: 'limited', what: `says that the plan is used up (${status})` };
        const seconds = Refusal.safeParse(json).data?.error.retry_after_seconds;
        if ((status === 429 || status < 300) && seconds !== undefined)
          return { kind: 'limited', retryAfterSeconds: seconds };
        return status < 300 && !Answer.safeParse(json).success && Failure.safeParse(json).success
          ? { kind: 'unavailable', what: 'answered with an error' }
          : undefined;
      },
      parseReply: (json) => {
        const answer = Answer.safeParse(json).data;
        const rows = answer && readRows(Row, answer.results);
        return (
          rows && {
            results: rows.map(({ url, title, content, published_date }) => {
              return { url, title, snippet: content, published: published_date };
            }),
            first: 0,
            more: false,
          }
        );
      },
    },
    parts,
  );
}
