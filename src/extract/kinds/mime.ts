import { decode } from '../encoding/decode.ts';

/** A part of a message (RFC 2045, RFC 2046). */
export interface MimePart {
  /** Names in lower case; the first of each. Lines are unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  /** In lower case, `text/plain` where it is not given. */
  readonly type: string;
  readonly isAttachment: boolean;
  /** The decoded bytes of a part that has no parts. */
  bytes(): Uint8Array;
  text(): string;
  readonly parts: readonly MimePart[];
}

const maxNesting = 8;
const maxParts = 1000;
const maxHeaderBytes = 256 * 1024;

/** Reads a message and its parts, up to a nesting of 8 and 1,000 parts. Never throws, whatever the bytes. */
export function parseMime(bytes: Uint8Array): MimePart {
  return parsePart(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), 0, {
    left: maxParts,
  });
}

/** All parts without parts, in their order. */
export function leavesOf(part: MimePart): MimePart[] {
  return part.parts.length === 0 ? [part] : part.parts.flatMap(leavesOf);
}

function parsePart(source: string, nesting: number, budget: { left: number }): MimePart {
  const end = /\r?\n\r?\n/.exec(source.slice(0, maxHeaderBytes));
  const head = end === null ? '' : source.slice(0, end.index);
  const body = end === null ? source : source.slice(end.index + end[0].length);
  const headers = parseHeaders(head);
  const contentType = headers.get('content-type') ?? 'text/plain';
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const boundary = type.startsWith('multipart/') ? parameter(contentType, 'boundary') : undefined;
  const decoded = () => decodeBody(body, headers.get('content-transfer-encoding') ?? '');
  return {
    headers,
    type,
    isAttachment: /^\s*attachment/i.test(headers.get('content-disposition') ?? ''),
    bytes: decoded,
    text() {
      const result = decode(decoded(), contentType);
      return result.kind === 'text' ? result.text : '';
    },
    parts:
      boundary === undefined || nesting >= maxNesting ? [] : partsOf(body, boundary, nesting + 1, budget),
  };
}

function partsOf(body: string, boundary: string, nesting: number, budget: { left: number }): MimePart[] {
  const parts: MimePart[] = [];
  const mark = `--${boundary}`;
  let start = -1;
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue;
    if (start >= 0 && budget.left-- > 0)
      parts.push(parsePart(body.slice(start, at).replace(/\r?\n$/, ''), nesting, budget));
    if (body.startsWith('--', at + mark.length)) return parts;
    const line = body.indexOf('\n', at);
    start = line < 0 ? body.length : line + 1;
  }
  if (start >= 0 && budget.left-- > 0) parts.push(parsePart(body.slice(start), nesting, budget));
  return parts;
}

function parseHeaders(head: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (name !== '' && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

function parameter(value: string, name: string): string | undefined {
  const match = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, 'i').exec(value);
  const found = match?.[1] ?? match?.[2];
  return found === '' ? undefined : found;
}

function decodeBody(body: string, encoding: string): Uint8Array {
  switch (encoding.trim().toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64');
    case 'quoted-printable':
      return Buffer.from(unquoted(body.replace(/[ \t]+(?=\r?\n)/g, '').replace(/=\r?\n/g, '')), 'latin1');
    default:
      return Buffer.from(body, 'latin1');
  }
}

const unquoted = (text: string) =>
  text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The text of a header with encoded words (RFC 2047); raw bytes beyond ASCII are decoded as they can be. */
export function decodeHeader(value: string): string {
  const joined = value.replace(/(\?=)\s+(=\?)/g, '$1$2');
  const text = joined.replace(
    /=\?([\w-]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?]*)\?=/gi,
    (_, charset: string, how: string, content: string) => {
      const bytes =
        how.toLowerCase() === 'b'
          ? Buffer.from(content, 'base64')
          : Buffer.from(unquoted(content.replaceAll('_', ' ')), 'latin1');
      const result = decode(bytes, `text/plain; charset=${charset}`);
      return result.kind === 'text' ? result.text : '';
    },
  );
  if (text !== joined || !/[\x80-\xff]/.test(text)) return text;
  const result = decode(Buffer.from(text, 'latin1'), null);
  return result.kind === 'text' ? result.text : text;
}
