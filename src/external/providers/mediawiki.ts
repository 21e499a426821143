import { z } from 'zod';
import type { SiteQuery } from '../../query/query.ts';
import { hostMatches } from '../../query/site.ts';
import { createProvider, endpoint, type ProviderParts } from '../provider.ts';
import { detectQueryLanguage } from '../query/detect-query-language.ts';
import { inQuotes, operatorsOf, type QuerySyntax, renderQuery } from '../query/render-query.ts';
import { siteFilters } from '../query/site-filters.ts';
import type { OwnFailure } from '../reply-failure.ts';
import { readRows, text } from '../rows.ts';
import type { ProviderRequest, ProviderSupport, SearchProvider } from '../search-provider.ts';

/** mediawiki.org/wiki/Help:CirrusSearch, which refuses queries of more than 300 characters. */
const syntax: QuerySyntax = {
  phrase: inQuotes,
  exclude: (operand) => `-${operand}`,
  or: (operands) => operands.join(' OR '),
  title: (word) => `intitle:${word}`,
  alternatives: 'first',
  maxLength: 300,
};

/** With `formatversion=2`, in English: mediawiki.org/wiki/API:Errors_and_warnings. */
const Warnings = z.object({ warnings: z.object({ search: z.object({ warnings: z.string() }) }) });
const Answer = z.object({
  continue: z.object({ sroffset: z.number() }).optional().catch(undefined),
  query: z.object({
    general: z.object({ server: z.string(), articlepath: z.string(), lang: z.string().catch('') }),
    search: z.array(z.unknown()),
  }),
});
const Row = z.object({ title: z.string(), snippet: text });
const Refusal = z.object({ error: z.object({ code: z.string() }) });

/** Maximum results per request without an account. */
const pageSize = 50;

interface Wiki {
  readonly name: 'wikipedia' | 'mediawiki';
  readonly lang: boolean;
  /** Address of the wiki's `api.php`. */
  readonly api: (request: ProviderRequest) => string;
  readonly unfit: (request: ProviderRequest) => string | undefined;
}

/** Wikipedias with more than about ten thousand articles; a request to one that does not exist would fail. */
const wikipedias = new Set(
  'af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk ko lt lv mk ml mr ms my ne nl no pa pl pt ro ru sh sk sl sq sr sv sw ta te tg th tl tr uk ur uz vi zh'.split(
    ' ',
  ),
);

/** Wikipedia in the requested language, else in that of the query. The base URL may contain `{lang}`. */
export function createWikipedia(parts: ProviderParts): SearchProvider {
  const { baseUrl = 'https://{lang}.wikipedia.org/w/api.php' } = parts;
  const languageFor = ({ query, lang }: ProviderRequest): string => {
    const named = siteFilters(query)
      .included?.map(({ host }) => wikipediaLanguage(host))
      .find((code) => code !== undefined);
    const preferred = named ?? lang ?? detectQueryLanguage(query);
    return wikipedias.has(preferred) || lang ? preferred : 'en';
  };
  return createWiki(parts, {
    name: 'wikipedia',
    lang: true,
    api: (request) => baseUrl.replace('{lang}', languageFor(request)),
    unfit: (request) => {
      const lang = languageFor(request);
      if (!wikipedias.has(lang)) return `there is no large Wikipedia in the language ${lang}`;
      return unfitSites(request, `${lang}.wikipedia.org`);
    },
  });
}

/** A wiki chosen by the user, by the URL of its `api.php`. */
export function createMediaWiki(parts: ProviderParts & { readonly baseUrl: string }): SearchProvider {
  const { baseUrl } = parts;
  return createWiki(parts, {
    name: 'mediawiki',
    lang: false,
    api: () => baseUrl,
    unfit: (request) => unfitSites(request, new URL(baseUrl).hostname),
  });
}

/** MediaWiki's Action API, mediawiki.org/wiki/API:Search. Its date, that of the last edit, is not used. */
function createWiki(parts: ProviderParts, { name, lang, api, unfit }: Wiki): SearchProvider {
  const supports: ProviderSupport = {
    lang,
    timeRange: false,
    site: false,
    offset: true,
    operators: operatorsOf(syntax),
  };
  return createProvider(
    {
      name,
      supports,
      // API:Etiquette asks for low concurrency; Wikimedia allows 500 an hour to an address without an account.
      rate: { concurrency: 3, perSecond: 500 / 3600, burst: 50 },
      markup: { title: 'plain', snippet: 'html' },
      unfit,
      toRequest: (request) => {
        const { query, offset, limit } = request;
        const srsearch = renderQuery(query, syntax);
        if (srsearch === '') return undefined;
        return {
          url: endpoint(api(request), '', {
            action: 'query',
            format: 'json',
            formatversion: '2',
            list: 'search',
            srsearch,
            srlimit: String(Math.min(limit, pageSize)),
            sroffset: String(offset),
            srwhat: 'text',
            srprop: 'snippet',
            meta: 'siteinfo',
            siprop: 'general',
          }),
        };
      },
      failure: ({ json }) => ownFailure(Refusal.safeParse(json).data?.error.code),
      parseReply: (json, { offset }) => {
        const answer = Answer.safeParse(json).data;
        const rows = answer && readRows(Row, answer.query.search);
        if (!rows) return undefined;
        const { general } = answer.query;
        return {
          results: rows.map((row) => ({
            url: articleUrl(general, row.title),
            title: row.title,
            snippet: row.snippet,
            lang: general.lang || null,
          })),
          first: offset,
          more: answer.continue !== undefined,
          incomplete: incompleteOf(Warnings.safeParse(json).data?.warnings.search.warnings, rows.length),
        };
      },
    },
    parts,
  );
}

/** A search that runs out of time returns partial results with a warning (CirrusSearch, i18n/en.json). */
function incompleteOf(warning: string | undefined, results: number): string | undefined {
  if (warning === undefined) return undefined;
  if (/timed? ?-?out|partial/i.test(warning)) return 'its search ran out of time';
  return results === 0 ? 'it warns that something went wrong' : undefined;
}

/** mediawiki.org/wiki/API:Errors_and_warnings: errors have status 200. */
function ownFailure(code: string | undefined): OwnFailure | undefined {
  if (code === undefined) return undefined;
  if (code === 'ratelimited') return { kind: 'limited', what: 'was asked too often' };
  if (/^search-\w+-disabled$/.test(code)) return { kind: 'forbidden', what: 'has its search turned off' };
  if (code === 'maxlag' || code === 'readonly' || /^(?:internal_api_error|cirrussearch-)/.test(code))
    return { kind: 'unavailable', what: 'is not available now' };
  if (code === 'readapidenied' || code === 'badtoken' || code === 'assertuserfailed')
    return { kind: 'forbidden', what: 'lets only its own users search' };
  return { kind: 'malformed', what: 'did not understand the request' };
}

function articleUrl({ server, articlepath }: { server: string; articlepath: string }, title: string): string {
  // Wikimedia sends the server without a scheme.
  const origin = server.startsWith('//') ? `https:${server}` : server;
  const path = encodeURIComponent(title.replaceAll(' ', '_')).replaceAll('%2F', '/').replaceAll('%3A', ':');
  return `${origin}${articlepath.replace('$1', path)}`;
}

function wikipediaLanguage(host: string): string | undefined {
  return /^([a-z]{2,3})(?:\.m)?\.wikipedia\.org$/.exec(host)?.[1];
}

/** A wiki has only the pages of its own host, and no file types. */
function unfitSites({ query }: ProviderRequest, host: string): string | undefined {
  const { included } = siteFilters(query);
  const holdsHost = (site: SiteQuery) => hostMatches(site, host);
  if (included && !included.some(holdsHost)) return 'it has no pages of that site';
  const parts = query.kind === 'all' ? query.of : [query];
  return parts.some(({ kind }) => kind === 'filetype') ? 'it has no files of that type' : undefined;
}
