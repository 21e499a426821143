import { z } from 'zod';
import type { Query } from '../../query/query.ts';
import type { JsonReply } from '../json-client.ts';
import { createProvider, endpoint, type ProviderParts, pageOf } from '../provider.ts';
import { detectQueryLanguage } from '../query/detect-query-language.ts';
import { operatorsOf, type QuerySyntax, renderQuery } from '../query/render-query.ts';
import { siteFilters } from '../query/site-filters.ts';
import { rangeStartSeconds } from '../query/time-range.ts';
import type { OwnFailure } from '../reply-failure.ts';
import { readRows, text } from '../rows.ts';
import type { ProviderRequest, SearchProvider } from '../search-provider.ts';

/** `q` is free text with undocumented semantics, so no operator is rendered. */
const syntax: QuerySyntax = { alternatives: 'first', maxLength: 240 };

const Answer = z.object({
  items: z.array(z.unknown()),
  has_more: z.boolean().catch(false),
  quota_max: z.number().nullish().catch(null),
  quota_remaining: z.number().nullish().catch(null),
  backoff: z.number().min(0).catch(0),
});
const Row = z.object({ link: z.string(), title: text, body: text, creation_date: z.unknown().optional() });
const Refusal = z.object({ error_id: z.number(), error_message: text });

const pageSize = 50;
/** The quota is daily, and the answer does not say when the day ends. */
const usedUpSeconds = 3600;

const hosts =
  /(?:^|\.)(?:stackexchange\.com|stackoverflow\.com|serverfault\.com|superuser\.com|askubuntu\.com|mathoverflow\.net|stackapps\.com)$/;
/** Stack Overflow has sister sites in these languages; all other sites are in English. */
const siteOfLanguage: Readonly<Record<string, string>> = {
  en: 'stackoverflow.com',
  es: 'es.stackoverflow.com',
  ja: 'ja.stackoverflow.com',
  pt: 'pt.stackoverflow.com',
  ru: 'ru.stackoverflow.com',
};

/**
 * Stack Exchange API 2.3, api.stackexchange.com/docs/advanced-search: Stack Overflow, or the site of the network that
 * the query names. 300 requests a day without a key; texts are under CC BY-SA.
 */
export function createStackExchange(parts: ProviderParts): SearchProvider {
  const { baseUrl = 'https://api.stackexchange.com', key, now } = parts;
  return createProvider(
    {
      name: 'stackexchange',
      supports: {
        lang: true,
        timeRange: true,
        site: true,
        offset: true,
        operators: { ...operatorsOf(syntax), intitle: true },
      },
      // api.stackexchange.com/docs/throttle: an address with more than 30 requests a second is banned.
      rate: { concurrency: 5, perSecond: 10, burst: 10 },
      markup: { title: 'html', snippet: 'html' },
      unfit: ({ query, lang }) => {
        const { included } = siteFilters(query);
        if (included && networkSite(query) === undefined) return 'it has no pages of that site';
        if (!included && lang && !siteOfLanguage[lang]) return `it has no site in the language ${lang}`;
        const conditions = query.kind === 'all' ? query.of : [query];
        return conditions.some(({ kind }) => kind === 'filetype')
          ? 'it has no files of that type'
          : undefined;
      },
      toRequest: (request) => {
        const q = renderQuery(withoutTitles(request.query), syntax);
        const title = titleWords(request.query);
        if (q === '' && title === '') return undefined;
        const { size, number } = pageOf(request, pageSize);
        const { timeRange } = request;
        return {
          url: endpoint(baseUrl, '2.3/search/advanced', {
            ...(q !== '' && { q }),
            ...(title !== '' && { title }),
            site: siteFor(request),
            page: String(number + 1),
            pagesize: String(size),
            order: 'desc',
            sort: 'relevance',
            filter: 'withbody',
            fromdate: timeRange && String(rangeStartSeconds(timeRange, now())),
            key: key?.reveal(),
          }),
        };
      },
      failure: ownFailure,
      parseReply: (json, request) => {
        const answer = Answer.safeParse(json).data;
        const rows = answer && readRows(Row, answer.items);
        if (!rows) return undefined;
        const { quota_max, quota_remaining, backoff } = answer;
        return {
          results: rows.map(({ link, title, body, creation_date }) => {
            return { url: link, title, snippet: body, published: creation_date };
          }),
          first: pageOf(request, pageSize).first,
          more: answer.has_more,
          quota: { remaining: quota_remaining ?? null, limit: quota_max ?? null, resetSeconds: null },
          pauseSeconds: Math.max(backoff, quota_remaining === 0 ? usedUpSeconds : 0),
        };
      },
    },
    parts,
  );
}

/** api.stackexchange.com/docs/error-handling: nearly every error has status 400; `error_id` identifies it. */
function ownFailure({ json }: JsonReply): OwnFailure | undefined {
  const refusal = Refusal.safeParse(json).data;
  if (!refusal) return undefined;
  const { error_id, error_message } = refusal;
  switch (error_id) {
    case 401:
    case 402:
    case 405:
      return { kind: 'unauthorized' };
    case 403:
    case 406:
      return { kind: 'forbidden' };
    case 502: {
      const seconds = /in (\d+) seconds?/.exec(error_message)?.[1];
      return {
        kind: 'limited',
        what: 'was asked too often, or the quota of the day is used up',
        retryAfterSeconds: seconds === undefined ? undefined : Number(seconds),
      };
    }
    case 500:
    case 503:
      return { kind: 'unavailable', what: 'is not available now' };
    default:
      return undefined;
  }
}

function networkSite(query: Query): string | undefined {
  return siteFilters(query).included?.find(({ host }) => hosts.test(host))?.host;
}

function siteFor({ query, lang }: ProviderRequest): string {
  const site = networkSite(query);
  // The network as a whole cannot be searched; its largest site is used instead.
  if (site !== undefined && site !== 'stackexchange.com') return site;
  return siteOfLanguage[lang ?? detectQueryLanguage(query)] ?? 'stackoverflow.com';
}

/** Title words have a separate parameter. */
function titleWords(query: Query): string {
  const parts = query.kind === 'all' ? query.of : [query];
  return parts.flatMap((part) => (part.kind === 'title' ? part.text : [])).join(' ');
}

function withoutTitles(query: Query): Query {
  const parts = query.kind === 'all' ? query.of : [query];
  return { kind: 'all', of: parts.filter(({ kind }) => kind !== 'title') };
}
