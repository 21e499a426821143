import type { Context } from 'hono';
import { externalHeader, hopsHeader } from '../contract/headers.ts';
import type { SearchParams } from '../contract/search.ts';
import type { SearchAnswer } from '../engine/engine.ts';
import { fewResults } from '../engine/suggestion/few-results.ts';
import { type CacheableResponse, maxAgeSeconds, sendCacheable } from './cacheable-response.ts';
import type { EngineOf, HttpEnv } from './http-env.ts';
import { mayAskExternal } from './rate-limit.ts';

export interface HttpSearch {
  readonly answer: SearchAnswer;
  /** A corrected query, where few pages match; only with `partial`. */
  readonly meant: string | undefined;
  /** How long a cache may serve the answer. */
  readonly maxAgeSeconds: number;
}

export interface SearchForOptions {
  /** Whether pages that lack some words are wanted. */
  readonly partial: boolean;
  /** Whether other services may be asked; true if not given. */
  readonly external?: boolean;
}

/** Searches for one HTTP request, in whatever form it came, and sets the `Gleaner-External` header of its response. */
export async function searchFor(
  c: Context<HttpEnv>,
  engineOf: EngineOf,
  params: SearchParams,
  { partial, external = true }: SearchForOptions,
): Promise<HttpSearch> {
  const engine = engineOf(c);
  const answer = await engine.search(params, {
    partial,
    signal: c.req.raw.signal,
    hops: hopsOf(c),
    mayAskExternal: () => external && mayAskExternal(c),
  });
  const meant = partial && answer.total < fewResults ? await engine.didYouMean(params) : undefined;
  const { state, reason } = answer.external;
  c.header(externalHeader, state);
  // A provider that failed, or a budget that is spent, may be available again in a moment.
  const isComplete = state === 'ok' || (state === 'off' && reason !== 'budget spent');
  return { answer, meant, maxAgeSeconds: isComplete ? maxAgeSeconds.search : 0 };
}

/** Hop count: 0 without the header, 1 if it is not a number, at most 9. */
function hopsOf(c: Context): number {
  const header = c.req.header(hopsHeader);
  return header === undefined ? 0 : Math.min(Math.max(Number.parseInt(header, 10) || 1, 1), 9);
}

/** Answers with a JSON value. The ETag is made from `identity`, where the value has parts that change with every call. */
export function sendJson(
  c: Context,
  value: object,
  { identity, ...response }: Pick<CacheableResponse, 'maxAgeSeconds'> & { readonly identity?: object },
  type = 'application/json',
): Promise<Response> {
  const sent = { body: JSON.stringify(value), type, ...response };
  return sendCacheable(c, identity ? { ...sent, identity: JSON.stringify(identity) } : sent);
}
