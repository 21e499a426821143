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

/** What every provider is made of. */
export interface ProviderParts {
  readonly fetchJson: JsonClient;
  readonly now: Clock;
  /** Where it is, for an instance of one's own and for tests; the service's own address when not given. */
  readonly baseUrl?: string | undefined;
  readonly key?: Secret | undefined;
}

/** One result as a provider wrote it. */
export interface RawResult {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  /** Any form that `publishedAt` reads. */
  readonly published?: unknown;
  readonly lang?: string | null;
}

/** An answer that was understood. */
export interface ProviderPage {
  /** In order, from `first` of the provider's results on. */
  readonly results: readonly RawResult[];
  /** The place of the first among all that the provider has; 0 for the first page. */
  readonly first: number;
  readonly more: boolean;
  /** The usual headers are read when it is not given. */
  readonly quota?: ProviderQuota | null;
  readonly pauseSeconds?: number;
  /** What the provider could not look at, in our words; said after "could not look everywhere: ". */
  readonly incomplete?: string | undefined;
}

/** What sets one provider apart from the others. */
export interface ProviderDefinition {
  readonly name: ProviderName;
  readonly supports: ProviderSupport;
  readonly rate: ProviderRate;
  readonly markup: { readonly title: Markup; readonly snippet: Markup };
  /** False where the operator is passed on to others who may ignore it. */
  readonly knowsFileType?: false;
  /** Why such a request is of no use here, beyond the usual reasons. */
  unfit?(request: ProviderRequest): string | undefined;
  /** How many results can be had at most without an offset. */
  readonly firstPage?: number;
  /** The question, or undefined when the query holds nothing that could be asked for. */
  toRequest(request: ProviderRequest): JsonRequest | undefined;
  /** Reads a reply of status 200; undefined when it has not the documented form. Odd results are left out. */
  parseReply(json: unknown, request: ProviderRequest, reply: JsonReply): ProviderPage | undefined;
  /** A way of failing of its own, whatever the status. */
  failure?(reply: JsonReply): OwnFailure | undefined;
}

const nothingToAsk = 'the query holds no word that it could look for';

/** Makes a provider of what sets it apart: asks, understands failures, cleans texts, checks the answers again. */
export function createProvider(definition: ProviderDefinition, parts: ProviderParts): SearchProvider {
  const { fetchJson, now, key } = parts;
  const { name, supports, rate, markup, firstPage = Number.POSITIVE_INFINITY } = definition;
  const { title, keySetting } = providerFacts[name];

  const unfit = (request: ProviderRequest): string | undefined => {
    if (!supports.offset && request.offset >= firstPage) return `it gives ${firstPage} results at most`;
    return definition.unfit?.(request) ?? (definition.toRequest(request) ? undefined : nothingToAsk);
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
      const question = definition.toRequest(request);
      if (!question) return { results: [], more: false, quota: null, pauseSeconds: 0 };
      const reply = await fetchJson(title, question, signal);
      const own = definition.failure?.(reply);
      if (own || reply.status < 200 || reply.status >= 300) {
        throw replyFailure(reply, { title, keySetting, hasKey: key !== undefined }, now(), own);
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
      const asked = page.results.slice(Math.max(0, offset - page.first), offset - page.first + limit);
      const quota = page.quota ?? parseQuota(reply.headers, now());
      return {
        results: filterResults(asked.flatMap(clean), request, {
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

/** Consent pages, CAPTCHAs and portals come with status 200. */
function withoutJson({ headers }: JsonReply): string {
  return /html/i.test(headers['content-type'] ?? '')
    ? 'answered with a web page in place of results: a consent page, a CAPTCHA, or something else at its address'
    : 'gave an answer of an unknown form';
}

const maxUrlLength = 2048;

/** The address of a result that can be shown and visited. */
function webUrl(text: string): string | undefined {
  if (text.length > maxUrlLength || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}

/** Page number (from 0) and size for a provider that counts pages; `first` is the place of the page's first result. */
export function pageOf({ offset, limit }: ProviderRequest, maxSize: number) {
  // A size that the offset is a multiple of gives exactly what is asked; else the largest page that holds the start.
  const size = limit <= maxSize && offset % limit === 0 ? limit : maxSize;
  const number = Math.floor(offset / size);
  return { size, number, first: number * size };
}

/** An address of a service below its base, which may have a path of its own. */
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
