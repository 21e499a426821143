import type { Hono } from 'hono';
import { visibleText } from '../../../tools/visible-text.ts';
import {
  OpenWebUiDocuments,
  OpenWebUiQuery,
  OpenWebUiResults,
  OpenWebUiUrls,
} from '../../contract/open-webui.ts';
import { SearchParams } from '../../contract/search.ts';
import type { Engine, ReadRecord } from '../../engine/engine.ts';
import { searchTokens } from '../../engine/search-tokens.ts';
import type { RouteClass } from '../../limits/client-limits.ts';
import { oneLine } from '../../text/line/one-line.ts';
import { sendUncached } from '../cacheable-response.ts';
import type { EngineOf, HttpEnv } from '../http-env.ts';
import { createBodyReader } from '../json-body.ts';
import { mountPost, type RouteHandler } from '../mount-route.ts';
import type { RateLimit } from '../rate-limit.ts';
import { searchFor } from '../search-for.ts';

export interface OpenWebUiParts {
  readonly engineOf: EngineOf;
  readonly rateLimit?: RateLimit | undefined;
}

export const openWebUiPaths = { search: '/openwebui/search', load: '/openwebui/load' } as const;

const readQuery = createBodyReader(OpenWebUiQuery);
const readUrls = createBodyReader(OpenWebUiUrls);

/** Answers what Open WebUI asks of an external search engine, and of an external web loader. */
export function mountOpenWebUi(app: Hono<HttpEnv>, { engineOf, rateLimit }: OpenWebUiParts): void {
  if (rateLimit) for (const path of Object.values(openWebUiPaths)) app.use(path, rateLimit.takeEmptyKey);
  const search = counted<OpenWebUiQuery>(rateLimit, {
    routeClass: 'search',
    read: readQuery,
    tokensOf: ({ query, count }) => searchTokens({ q: query, limit: count }),
    work: async (c, { query, count }) => {
      const params = SearchParams.parse({ q: query, limit: count });
      const { answer } = await searchFor(c, engineOf, params, { partial: true });
      const results = [...answer.results, ...(answer.partial?.matches ?? [])].slice(0, count);
      return sendUncached(
        c,
        OpenWebUiResults.parse(
          results.map(({ url, title, snippet }) => {
            return { link: url, title: oneLine(title), snippet: oneLine(snippet) };
          }),
        ),
      );
    },
  });
  const load = counted<OpenWebUiUrls>(rateLimit, {
    routeClass: 'content',
    read: readUrls,
    tokensOf: ({ urls }) => urls.length,
    work: async (c, { urls }) => sendUncached(c, await readAll(engineOf(c), urls, c.req.raw.signal)),
  });
  mountPost(app, openWebUiPaths.search, search);
  mountPost(app, openWebUiPaths.load, load);
}

interface CountedRequest<Body> {
  readonly routeClass: RouteClass;
  readonly read: (request: Request) => Promise<Body>;
  readonly tokensOf: (body: Body) => number;
  readonly work: (c: Parameters<RouteHandler>[0], body: Body) => Promise<Response>;
}

/** A handler that reads the body, counts the request by its price, and answers it. A wrong body counts as one. */
function counted<Body>(
  rateLimit: RateLimit | undefined,
  { routeClass, read, tokensOf, work }: CountedRequest<Body>,
): RouteHandler {
  return async (c) => {
    rateLimit?.calls.checkKey(c);
    const given = await read(c.req.raw).then(
      (body) => ({ tokens: tokensOf(body), answer: () => work(c, body) }),
      (error: unknown) => ({ tokens: 1, answer: () => Promise.reject<Response>(error) }),
    );
    return rateLimit ? rateLimit.run(c, routeClass, given.tokens, given.answer) : given.answer();
  };
}

/**
 * Reads pages at the same time. Those that cannot be read are left out: an empty document would be cited. Where none can
 * be, it throws the error of the first.
 */
async function readAll(
  engine: Engine,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<OpenWebUiDocuments> {
  const readings = await Promise.allSettled(urls.map((url) => engine.read(url, { signal })));
  signal.throwIfAborted();
  const documents = readings.flatMap((reading, index) =>
    reading.status === 'fulfilled' ? [toDocument(urls[index] as string, reading.value)] : [],
  );
  const [first] = readings;
  if (documents.length === 0 && first?.status === 'rejected') throw first.reason;
  return OpenWebUiDocuments.parse(documents);
}

function toDocument(url: string, record: ReadRecord): OpenWebUiDocuments[number] {
  const { title, lang, author, published_at, crawled_at, body_text, notice } = record;
  return {
    page_content: visibleText(body_text),
    metadata: {
      source: url,
      title: oneLine(title),
      language: lang,
      ...(author !== null && { author: oneLine(author) }),
      ...(published_at !== null && { published_at }),
      crawled_at,
      ...(notice !== undefined && { notice }),
    },
  };
}
