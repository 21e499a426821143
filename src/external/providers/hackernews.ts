import { z } from 'zod';
import { createProvider, endpoint, type ProviderParts, pageOf } from '../provider.ts';
import { operatorsOf, type QuerySyntax, renderQuery } from '../query/render-query.ts';
import { rangeStartSeconds } from '../query/time-range.ts';
import { readRows, text } from '../rows.ts';
import type { SearchProvider } from '../search-provider.ts';

const syntax: QuerySyntax = { alternatives: 'first', maxLength: 500 };

const Answer = z.object({
  hits: z.array(z.unknown()),
  nbPages: z.number().catch(0),
  /** False when the engine stopped early to save time (algolia.com, doc/api-reference: `exhaustive`). */
  exhaustiveNbHits: z.boolean().catch(true),
  timeoutHits: z.boolean().catch(false),
  /** A remark on a query that could not be answered as requested. */
  message: z.string().catch(''),
});
const Row = z.object({
  objectID: z.string(),
  title: z.string(),
  url: z.string().nullish().catch(null),
  author: text,
  points: z.number().nullish().catch(null),
  num_comments: z.number().nullish().catch(null),
  story_text: text,
  created_at_i: z.unknown().optional(),
});

const pageSize = 100;

/** Hacker News by Algolia, hn.algolia.com/api. A result is the page that a story links to, or the story itself. */
export function createHackerNews(parts: ProviderParts): SearchProvider {
  const { baseUrl = 'https://hn.algolia.com', now } = parts;
  return createProvider(
    {
      name: 'hackernews',
      supports: { lang: false, timeRange: true, site: false, offset: true, operators: operatorsOf(syntax) },
      // None is published.
      rate: { concurrency: 3, perSecond: 1, burst: 10 },
      markup: { title: 'plain', snippet: 'html' },
      unfit: ({ lang }) => (lang && lang !== 'en' ? 'it is in English' : undefined),
      toRequest: (request) => {
        const query = renderQuery(request.query, syntax);
        if (query === '') return undefined;
        const { size, number } = pageOf(request, pageSize);
        const { timeRange } = request;
        return {
          url: endpoint(baseUrl, 'api/v1/search', {
            query,
            tags: 'story',
            page: String(number),
            hitsPerPage: String(size),
            numericFilters: timeRange && `created_at_i>${rangeStartSeconds(timeRange, now())}`,
          }),
        };
      },
      parseReply: (json, request) => {
        const answer = Answer.safeParse(json).data;
        const rows = answer && readRows(Row, answer.hits);
        const { number, first } = pageOf(request, pageSize);
        return (
          rows && {
            results: rows.map((row) => ({
              url: row.url || `https://news.ycombinator.com/item?id=${encodeURIComponent(row.objectID)}`,
              title: row.title,
              snippet: row.story_text || discussion(row),
              published: row.created_at_i,
            })),
            first,
            more: number + 1 < answer.nbPages,
            incomplete: incompleteOf(answer),
          }
        );
      },
    },
    parts,
  );
}

/** The snippet of a story that has only a link and no text. */
function discussion({ author, points, num_comments }: z.infer<typeof Row>): string {
  const by = author === '' ? '' : ` by ${author.replace(/[<&]/g, '')}`;
  return `Posted on Hacker News${by}: ${points ?? 0} points, ${num_comments ?? 0} comments`;
}

/** An approximate count is usual for frequent words; an approximate count without hits means an aborted search. */
function incompleteOf({ hits, exhaustiveNbHits, timeoutHits, message }: z.infer<typeof Answer>) {
  if (timeoutHits || (hits.length === 0 && !exhaustiveNbHits)) return 'its search ran out of time';
  return hits.length === 0 && message !== '' ? 'it warns that something went wrong' : undefined;
}
