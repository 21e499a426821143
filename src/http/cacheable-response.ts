import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { hopsHeader } from '../contract/headers.ts';
import { chooseEncoding, compress } from './encoding.ts';
import type { HttpEnv } from './http-env.ts';

export interface CacheableResponse {
  readonly body: string;
  readonly type: string;
  /** How long a cache may serve the response without revalidation. */
  readonly maxAgeSeconds: number;
  /** Text from which the ETag is computed; `body` by default. */
  readonly identity?: string;
}

/** A page changes with its next crawl, a search result with every page. */
export const maxAgeSeconds = { search: 15, content: 300, documentation: 300 };

/** Request headers that affect the response: a key, also that of a session, adds headers to it. */
const vary = `Accept-Encoding, Authorization, X-API-Key, Cookie, ${hopsHeader}`;

/**
 * Answers 200 with the headers that a cache needs, or 304 when the client has this version (RFC 9110, section 13). The
 * ETag is weak, because all encodings of the body share it. A response to a request with a key is private.
 */
export async function sendCacheable(
  c: Context<HttpEnv>,
  { body, type, maxAgeSeconds: maxAge, identity = body }: CacheableResponse,
): Promise<Response> {
  const etag = weakTag(identity);
  const showsKey = (c.req.header('authorization') ?? c.req.header('x-api-key')) !== undefined;
  const reach = showsKey || c.get('caller')?.kind === 'key' ? 'private' : 'public';
  c.header('Cache-Control', `${reach}, max-age=${maxAge}`);
  c.header('ETag', etag);
  c.header('Vary', vary, { append: true });
  if (holds(c.req.header('if-none-match'), etag)) return c.body(null, 304);

  c.header('Content-Type', type);
  const encoding = chooseEncoding(c.req.header('accept-encoding'), Buffer.byteLength(body));
  if (encoding === undefined) return c.body(body);
  c.header('Content-Encoding', encoding);
  return c.body(await compress(body, encoding));
}

/** Answers 200 with a JSON value that no cache may store. */
export function sendUncached(c: Context, value: unknown): Response {
  c.header('Cache-Control', 'no-store');
  return c.json(value);
}

function weakTag(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** Whether `If-None-Match` contains the tag, by weak comparison. */
function holds(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return (header.match(/"[^"]*"/g) as string[] | null)?.includes(etag.slice(2)) ?? false;
}
