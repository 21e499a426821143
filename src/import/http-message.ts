import { Readable } from 'node:stream';
import type { Headers } from '../crawl/fetch/fetch-outcome.ts';
import { type Body, readBody } from '../crawl/fetch/response-body.ts';
import { endOfHead } from './byte-reader.ts';

/** An HTTP response as it was sent. */
export interface HttpMessage {
  readonly status: number;
  readonly headers: Headers;
  /** Still chunked and compressed. */
  readonly body: Uint8Array;
}

const maxHeadBytes = 256 * 1024;

/** Reads the head of an HTTP/1 response (RFC 9112); archives write HTTP/2 alike. Undefined for other bytes. */
export function parseHttpMessage(bytes: Uint8Array): HttpMessage | undefined {
  const head = endOfHead(bytes.subarray(0, maxHeadBytes));
  if (head === undefined) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, head.length).toString('latin1');
  const [statusLine = '', ...lines] = text.split(/\r?\n/);
  const status = /^HTTP\/\d(?:\.\d)? +(\d{3})/.exec(statusLine)?.[1];
  if (status === undefined) return undefined;
  return { status: Number(status), headers: parseFields(lines), body: bytes.subarray(head.end) };
}

/** Names in lower case; the values of a repeated field are on lines of their own. Folded lines are joined. */
export function parseFields(lines: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const line of lines
    .join('\n')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    fields[name] = name in fields ? `${fields[name]}\n${value}` : value;
  }
  return fields;
}

/**
 * The content of a message. Many archives have unpacked bodies under headers that still name an encoding: a body that
 * is not chunked or compressed is returned unchanged.
 */
export async function contentOf({ headers, body }: HttpMessage, maxBytes: number): Promise<Body> {
  const isChunked = /\bchunked\b/i.test(headers['transfer-encoding'] ?? '');
  const bytes = (isChunked ? unchunk(body) : undefined) ?? body;
  const coding = headers['content-encoding'] ?? '';
  const saysGzip = /^\s*(x-)?gzip\s*$/i.test(coding);
  if (saysGzip && !(bytes[0] === 0x1f && bytes[1] === 0x8b)) {
    return bytes.length > maxBytes ? { kind: 'refused', why: 'too large' } : { kind: 'bytes', bytes };
  }
  return readBody(Readable.from([bytes]), coding, { maxBytes, truncate: false });
}

/** The body of a chunked message (RFC 9112 section 7.1), up to a fault; undefined when it is not chunked. */
function unchunk(bytes: Uint8Array): Uint8Array | undefined {
  const pieces: Uint8Array[] = [];
  let offset = 0;
  while (offset < bytes.length) {
    const lineEnd = bytes.indexOf(0x0a, offset);
    if (lineEnd < 0 || lineEnd - offset > 1024) return pieces.length > 0 ? Buffer.concat(pieces) : undefined;
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + offset, lineEnd - offset).toString('latin1');
    const size = /^\s*([0-9a-f]{1,8})\s*(;.*)?$/i.exec(line.replace(/\r$/, ''))?.[1];
    if (size === undefined) return pieces.length > 0 ? Buffer.concat(pieces) : undefined;
    const length = Number.parseInt(size, 16);
    if (length === 0) break;
    pieces.push(bytes.subarray(lineEnd + 1, lineEnd + 1 + length));
    offset = lineEnd + 1 + length;
    if (bytes[offset] === 0x0d) offset++;
    if (bytes[offset] === 0x0a) offset++;
  }
  return Buffer.concat(pieces);
}
