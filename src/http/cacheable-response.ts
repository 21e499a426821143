import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { hopsHeader } from '../contract/headers.ts';
import { chooseEncoding, compress } from './encoding.ts';

export interface Sent {
  readonly body: string;
  readonly type: string;
  /** How long a cache may answer for us without asking. */
  readonly maxAgeSeconds: number;
  /** What must change for the answer to count as another one; `body` where it is left out. */
  readonly identity?: string;
}

/** Requests that differ in these may get different answers: a key brings headers of its own. */
const vary = `Accept-Encoding, Authorization, X-API-Key, ${hopsHeader}`;

/**
 * Answers 200 with what a cache needs, or 304 when the client has it already (RFC 9110, section 13). The ETag is weak:
 * it stands for every encoding of the body. What was asked with a key is for that client's cache alone.
 */
export async function send(
  c: Context,
  { body, type, maxAgeSeconds, identity = body }: Sent,
): Promise<Response> {
  const etag = weakTag(identity);
  const reach = (c.req.header('authorization') ?? c.req.header('x-api-key')) ? 'private' : 'public';
  c.header('Cache-Control', `${reach}, max-age=${maxAgeSeconds}`);
  c.header('ETag', etag);
  c.header('Vary', vary, { append: true });
  if (holds(c.req.header('if-none-match'), etag)) return c.body(null, 304);

  c.header('Content-Type', type);
  const encoding = chooseEncoding(c.req.header('accept-encoding'), Buffer.byteLength(body));
  if (encoding === undefined) return c.body(body);
  c.header('Content-Encoding', encoding);
  return c.body(await compress(body, encoding));
}

/** Answers 200 with what is true now only and must not be kept. */
export function sendFresh(c: Context, value: unknown): Response {
  c.header('Cache-Control', 'no-store');
  return c.json(value);
}

function weakTag(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** Whether `If-None-Match` names the tag, compared weakly. */
function holds(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return (header.match(/"[^"]*"/g) as string[] | null)?.includes(etag.slice(2)) ?? false;
}
