import type { Clock } from '../runtime.ts';
import { filterResults } from './filter-results.ts';
import type { JsonClient, JsonReply, JsonRequest } from './json-client.ts';
import { type Markup, snippetOf, titleOf } from './plain-text.ts';
import { type ProviderName, providerFacts } from './provider-facts.ts';
import { parsePublishedAt } from './published-at.ts';
import { parseQuota, pauseSecondsOf } from './quota.ts';
import { type OwnFailure, replyFailure } from './reply-failure.ts';
import {
  ProviderError,
  type ProviderQuota,
  type ProviderRate,
  type ProviderRequest,
  type ProviderResult,
  type ProviderSupport,
  type SearchProvider,
} from './search-provider.ts';
import type { Secret } from './secret.ts';

/** What every provider is created from. */
export interface ProviderParts {
  readonly fetchJson: JsonClient;
  readonly now: Clock;
  /** Base URL of a self-hosted instance or of a test; the service's own by default. */
  readonly baseUrl?: string | undefined;
  readonly key?: Secret | undefined;
}

/** One result as the provider sent it, not cleaned yet. */
export interface RawResult {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  /** Any form that `parsePublishedAt` accepts. */
  readonly published?: unknown;
  readonly lang?: string | null;
}

/** A parsed reply. */
export interface ProviderPage {
  /** In the provider's order, starting at offset `first`. */
  readonly results: readonly RawResult[];
  /** Offset of the first result among all results of the provider; 0 for the first page. */
  readonly first: number;
  readonly more: boolean;
  /** Read from the usual headers by default. */
  readonly quota?: ProviderQuota | null;
  readonly pauseSeconds?: number;
  /** What the provider could not search, in our words; shown after "could not look everywhere: ". */
  readonly incomplete?: string | undefined;
}

/** What differs from one provider to another. */
export interface ProviderDefinition {
  readonly name: ProviderName;
  readonly supports: ProviderSupport;
  readonly rate: ProviderRate;
  readonly markup: { readonly title: Markup; readonly snippet: Markup };
  /** False for a metasearch engine that passes the operator on to engines which may ignore it. */
  readonly knowsFileType?: false;
  /** Why the provider cannot serve a request, beyond the usual reasons; undefined when it can. */
  unfit?(request: ProviderRequest): string | undefined;
  /** Maximum results of a provider without offsets. */
  readonly firstPage?: number;
  /** The HTTP request; undefined when nothing of the query can be rendered. */
  toRequest(request: ProviderRequest): JsonRequest | undefined;
  /** Parses a successful reply; undefined when it does not have the documented form. Invalid results are dropped. */
  parseReply(json: unknown, request: ProviderRequest, reply: JsonReply): ProviderPage | undefined;
  /** Recognizes the provider's own error replies, whatever the status. */
  failure?(reply: JsonReply): OwnFailure | undefined;
}

const nothingToSearch = 'the query holds no word that it could look for';

/** Creates a provider from its definition: sends requests, classifies failures, cleans texts, filters the results. */
export function createProvider(definition: ProviderDefinition, parts: ProviderParts): SearchProvider {
  const { fetchJson, now, key } = parts;
  const { name, supports, rate, markup, firstPage = Number.POSITIVE_INFINITY } = definition;
  const { title, keySetting } = providerFacts[name];

  const unfit = (request: ProviderRequest): string | undefined => {
    if (!supports.offset && request.offset >= firstPage) return `it gives ${firstPage} results at most`;
    return definition.unfit?.(request) ?? (definition.toRequest(request) ? undefined : nothingToSearch);
  };

  const clean = (raw: RawResult): ProviderResult[] => {
    const url = webUrl(raw.url);
    if (url === undefined) return [];
    return [
      {
        url,
        title: titleOf(raw.title, markup.title),
        snippet: snippetOf(raw.snippet, markup.snippet),
        publishedAt: parsePublishedAt(raw.published, now()),
        lang: raw.lang ? (raw.lang.toLowerCase().split(/[-_]/, 1)[0] ?? null) : null,
      },
    ];
  };

  return {
    name,
    title,
    supports,
    rate,
    unfit,
    search: async (request, signal) => {
      const httpRequest = definition.toRequest(request);
      if (!httpRequest) return { results: [], more: false, quota: null, pauseSeconds: 0 };
      const reply = await fetchJson(title, httpRequest, signal);
      const ownFailure = definition.failure?.(reply);
      if (ownFailure || reply.status < 200 || reply.status >= 300) {
        throw replyFailure(reply, { title, keySetting, hasKey: key !== undefined }, now(), ownFailure);
      }
      if (reply.json === undefined) throw new ProviderError('malformed', `${title} ${withoutJson(reply)}`);
      const page = definition.parseReply(reply.json, request, reply);
      if (!page) throw new ProviderError('malformed', `${title} gave an answer of an unknown form`);
      const { incomplete } = page;
      if (incomplete !== undefined && page.results.length === 0)
        throw new ProviderError(
          'incomplete',
          `${title} found nothing and could not look everywhere: ${incomplete}`,
        );
      const { offset, limit } = request;
      const requested = page.results.slice(Math.max(0, offset - page.first), offset - page.first + limit);
      const quota = page.quota ?? parseQuota(reply.headers, now());
      return {
        results: filterResults(requested.flatMap(clean), request, {
          now: now(),
          knowsFileType: definition.knowsFileType ?? supports.operators.filetype,
          knowsTime: supports.timeRange,
        }),
        more: page.more || page.first + page.results.length > offset + limit,
        quota,
        pauseSeconds: page.pauseSeconds ?? pauseSecondsOf(quota),
        ...(incomplete !== undefined && { missing: `${title} could not look everywhere: ${incomplete}` }),
      };
    },
  };
}

/** Consent pages, CAPTCHAs and captive portals have status 200. */
function withoutJson({ headers }: JsonReply): string {
  return /html/i.test(headers['content-type'] ?? '')
    ? 'answered with a web page in place of results: a consent page, a CAPTCHA, or something else at its address'
    : 'gave an answer of an unknown form';
}

const maxUrlLength = 2048;

/** The URL of a result without credentials; undefined unless it is http or https. */
function webUrl(text: string): string | undefined {
  if (text.length > maxUrlLength || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}

/** Page number (from 0) and size for a provider that counts pages; `first` is the offset of the page's first result. */
export function pageOf({ offset, limit }: ProviderRequest, maxSize: number) {
  // If the offset is a multiple of the limit, one page is exactly the request. Else the largest page with the offset.
  const size = limit <= maxSize && offset % limit === 0 ? limit : maxSize;
  const number = Math.floor(offset / size);
  return { size, number, first: number * size };
}

/** A URL below the base URL of a service, which may have a path. */
export function endpoint(
  base: string,
  path: string,
  parameters: Record<string, string | undefined> = {},
): URL {
  const url = path === '' ? new URL(base) : new URL(path, base.endsWith('/') ? base : `${base}/`);
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value);
  return url;
}
