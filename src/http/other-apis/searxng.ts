import type { Context, Hono, MiddlewareHandler } from 'hono';
import { hopsHeader } from '../../contract/headers.ts';
import { createParameterReader } from '../../contract/parameters.ts';
import { maxOffset, type SearchParams, type SearchResult } from '../../contract/search.ts';
import {
  SearxngParams,
  SearxngResponse,
  type SearxngResult,
  searchPath,
  searxngPageSize,
} from '../../contract/searxng.ts';
import { periodRanges } from '../../contract/time-range.ts';
import type { SearchAnswer } from '../../engine/engine.ts';
import { searchTokens } from '../../engine/search-tokens.ts';
import { oneLine } from '../../text/line/one-line.ts';
import type { EngineOf, HttpEnv } from '../http-env.ts';
import { mountGet, type RouteHandler } from '../mount-route.ts';
import { readQueryString } from '../query-string.ts';
import type { RateLimit } from '../rate-limit.ts';
import { searchFor, sendJson } from '../search-for.ts';

export interface SearxngParts {
  readonly engineOf: EngineOf;
  readonly rateLimit?: RateLimit | undefined;
  /** The search page for people, which stands under the same address. */
  readonly searchPage: RouteHandler;
}

const names = Object.keys(SearxngParams.shape);
const read = createParameterReader(SearxngParams);

/** Categories of SearXNG that no web page answers. */
const otherCategories = new Set(['images', 'videos', 'music', 'files', 'map']);

/** Whether a request asks in SearXNG's form, which also its clients send to `/`. */
export function asksForJson(c: Context): boolean {
  return c.req.query('format') === 'json';
}

/**
 * Answers `GET /search?format=json` as SearXNG does (docs.searxng.org, dev/search_api), so that its clients work unchanged.
 * Without `format=json` it is the search page for people.
 */
export function mountSearxng(app: Hono<HttpEnv>, { engineOf, rateLimit, searchPage }: SearxngParts): void {
  app.use(searchPath, limitSearxng(rateLimit));
  const answer = answerSearxng(engineOf);
  mountGet(app, searchPath, (c) => {
    const format = c.req.query('format') ?? '';
    return format === '' || format === 'html' ? searchPage(c) : answer(c);
  });
}

/** Counts what asks in SearXNG's form as a search, and nothing else under the same path. */
export function limitSearxng(rateLimit: RateLimit | undefined): MiddlewareHandler<HttpEnv> {
  const limit = rateLimit?.limit('search', (c) =>
    searchTokens({ q: c.req.query('q'), limit: searxngPageSize }),
  );
  return (c, next) => (limit && asksForJson(c) ? limit(c, next) : next());
}

export function answerSearxng(engineOf: EngineOf): (c: Context<HttpEnv>) => Promise<Response> {
  return async (c) => {
    const { values, errors } = readQueryString(c.req.url, names);
    const params = read(values, errors);
    const why = unanswerable(params);
    if (why !== undefined) return sendJson(c, emptyResponse(params.q, why), { maxAgeSeconds: 0 });
    const search = toSearchParams(params);
    // Another Gleaner has partial matches of its own.
    const partial = c.req.header(hopsHeader) === undefined;
    const { answer, meant, maxAgeSeconds } = await searchFor(c, engineOf, search, { partial });
    const body = SearxngResponse.parse(toResponse(params.q, answer, meant));
    // Scores depend on the time of the search.
    const identity = { ...body, results: body.results.map(({ score: _, ...result }) => result) };
    return sendJson(c, body, { maxAgeSeconds, identity });
  };
}

/** Why the answer to these parameters is empty without a search; undefined in general. */
function unanswerable({ categories, pageno }: SearxngParams): string | undefined {
  const named = (categories ?? '').split(',').flatMap((name) => name.trim().toLowerCase() || []);
  if (named.length > 0 && named.every((name) => otherCategories.has(name)))
    return 'only web pages are searched here';
  return (pageno - 1) * searxngPageSize > maxOffset ? 'there are no further pages of results' : undefined;
}

function toSearchParams({ q, language, time_range, pageno }: SearxngParams): SearchParams {
  return {
    q,
    limit: searxngPageSize,
    offset: (pageno - 1) * searxngPageSize,
    // Clients send a default language, such as en-US, that the user did not choose. A filter by it would hide pages in other
    // languages.
    ...(language !== undefined && { lang_priority: language }),
    ...(time_range !== undefined && { time_range: periodRanges[time_range] }),
  };
}

function emptyResponse(query: string, why: string): SearxngResponse {
  return {
    query,
    number_of_results: 0,
    results: [],
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: [['gleaner', why]],
  };
}

function toResponse(query: string, answer: SearchAnswer, meant: string | undefined): SearxngResponse {
  const { total, results, partial, external } = answer;
  const meantWords = meant === undefined ? [] : [oneLine(meant)];
  let lowest = Number.POSITIVE_INFINITY;
  return {
    query,
    number_of_results: total,
    results: [...results, ...(partial?.matches ?? [])].slice(0, searxngPageSize).map((result, index) => {
      // Clients sort by score: a page that lacks words stays below those that match.
      lowest = Math.min(lowest, result.score);
      return toResult({ ...result, score: lowest }, index + 1);
    }),
    answers: [],
    corrections: meantWords,
    infoboxes: [],
    suggestions: meantWords,
    unresponsive_engines: unresponsive(external),
  };
}

function unresponsive({ reason, failures }: SearchAnswer['external']): string[][] {
  if (reason === 'budget spent') return [['external', 'too many requests']];
  return failures.map(({ provider, message }) => [provider, message]);
}

function toResult(result: SearchResult, position: number): SearxngResult {
  const engine = result.source === 'local' ? 'gleaner' : 'external';
  const { protocol, host, pathname, search, hash } = new URL(result.url);
  return {
    url: result.url,
    title: oneLine(result.title),
    content: oneLine(result.snippet),
    publishedDate: result.published_at ? pythonIsoTime(result.published_at) : null,
    thumbnail: '',
    engine,
    template: 'default.html',
    parsed_url: [protocol.slice(0, -1), host, pathname, '', search.slice(1), hash.slice(1)],
    img_src: '',
    priority: '',
    engines: [engine],
    positions: [position],
    score: result.score,
    category: 'general',
  };
}

/** A time as Python's `isoformat` writes it, which older Pythons read: no milliseconds, an offset in place of `Z`. */
function pythonIsoTime(time: string): string {
  return time.replace(/(?:\.\d+)?Z$/, '+00:00');
}
