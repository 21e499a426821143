import type { Context, Hono } from 'hono';
import { createParameterReader } from '../../contract/parameters.ts';
import { SearchParams } from '../../contract/search.ts';
import { searchPath } from '../../contract/searxng.ts';
import { SuggestionParams, Suggestions } from '../../contract/suggestions.ts';
import type { Engine } from '../../engine/engine.ts';
import { oneLine } from '../../text/line/one-line.ts';
import { maxAgeSeconds } from '../cacheable-response.ts';
import type { EngineOf, HttpEnv } from '../http-env.ts';
import { mountGet } from '../mount-route.ts';
import { escapeHtml } from '../pages/html.ts';
import { readQueryString } from '../query-string.ts';
import { originOf, type RateLimit } from '../rate-limit.ts';
import { sendJson } from '../search-for.ts';
import type { AllowedHosts } from '../security/host-check.ts';

export interface OpenSearchParts {
  readonly engineOf: EngineOf;
  readonly rateLimit?: RateLimit | undefined;
  readonly allowedHosts?: AllowedHosts | undefined;
}

const suggestPath = '/suggest';
const descriptionPath = '/opensearch.xml';
/** As many as browsers show. */
const maxSuggestions = 8;

const names = Object.keys(SuggestionParams.shape);
const read = createParameterReader(SuggestionParams);

/** Mounts the OpenSearch description, by which browsers add this service, and the suggestions that it names. */
export function mountOpenSearch(app: Hono<HttpEnv>, parts: OpenSearchParts): void {
  const { engineOf, rateLimit, allowedHosts } = parts;
  // Out of the larger share: browsers ask while a person types, who then wants to search.
  if (rateLimit) app.use(suggestPath, rateLimit.limit('content'));
  mountGet(app, suggestPath, async (c) => {
    const { values, errors } = readQueryString(c.req.url, names);
    const { q } = read(values, errors);
    const body = Suggestions.parse([q, await suggest(engineOf(c), q, c.req.raw.signal)]);
    return sendJson(c, body, { maxAgeSeconds: maxAgeSeconds.search }, 'application/x-suggestions+json');
  });
  mountGet(app, descriptionPath, (c) => {
    // It repeats the host name of the request, which no cache should pass on.
    c.header('Cache-Control', 'no-store');
    return c.body(description(originFor(c, allowedHosts)), 200, {
      'Content-Type': 'application/opensearchdescription+xml',
    });
  });
}

/** Titles of the best local pages for what has been typed. No other service learns of unfinished words. */
async function suggest(engine: Engine, q: string, signal: AbortSignal): Promise<string[]> {
  const params = SearchParams.parse({ q, limit: maxSuggestions });
  const { results, partial } = await engine.search(params, {
    signal,
    partial: true,
    mayAskExternal: () => false,
  });
  const pages = [...results.filter(({ source }) => source === 'local'), ...(partial?.matches ?? [])];
  return [...new Set(pages.map(({ title }) => oneLine(title)))].slice(0, maxSuggestions);
}

/** The scheme and host under which the client reached this service. A trusted proxy says whether that was over TLS. */
function originFor(c: Context<HttpEnv>, allowedHosts: AllowedHosts | undefined): string {
  const { protocol, host } = new URL(c.req.url);
  const isSecure =
    c.req.header('x-forwarded-proto') === 'https' && allowedHosts?.isFromTrustedProxy(originOf(c));
  return `${isSecure ? 'https:' : protocol}//${host}`;
}

/** An OpenSearch 1.1 description document. Browsers ask for `text/html` results; programs may use the JSON. */
function description(origin: string): string {
  const url = (rel: string, type: string, path: string) =>
    `  <Url rel="${rel}" type="${type}" template="${escapeHtml(origin)}${path}"/>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>Gleaner</ShortName>
  <Description>Searches the pages of this Gleaner.</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <OutputEncoding>UTF-8</OutputEncoding>
${url('results', 'text/html', `${searchPath}?q={searchTerms}`)}
${url('results', 'application/json', `${searchPath}?format=json&amp;q={searchTerms}`)}
${url('suggestions', 'application/x-suggestions+json', `${suggestPath}?q={searchTerms}`)}
${url('self', 'application/opensearchdescription+xml', descriptionPath)}
</OpenSearchDescription>
`;
}
