import { readBody } from '../crawl/fetch/response-body.ts';
import type { Outgoing, OutgoingResponse } from '../runtime.ts';
import { type FailureKind, ProviderError } from './search-provider.ts';

/** What is asked of a provider. The URL and the headers may hold its key. */
export interface JsonRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON in a POST; a GET without. */
  readonly json?: unknown;
}

export interface JsonReply {
  readonly status: number;
  /** Lower-case names; repeated ones joined by commas (RFC 9110 section 5.3). */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown;
}

/**
 * Asks once, and once more when the connection broke before an answer. Rejects with a `WebSearchError` that names the
 * provider, or with the signal's reason; any status is a reply.
 */
export type JsonClient = (title: string, question: JsonRequest, signal: AbortSignal) => Promise<JsonReply>;

export interface JsonClientOptions {
  readonly outgoing: Outgoing;
  /** Name, version and contact. */
  readonly userAgent: string;
  /** Of an answer after decompression; 2 MB when not given. */
  readonly maxBytes?: number;
}

const twoMegabytes = 2 * 1024 * 1024;
/** A kept connection that the other side had closed, or one that it dropped. Others would fail again. */
const retryableCodes = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ERR_HTTP2_GOAWAY_SESSION']);

export function createJsonClient({
  outgoing,
  userAgent,
  maxBytes = twoMegabytes,
}: JsonClientOptions): JsonClient {
  const send = (question: JsonRequest, signal: AbortSignal): Promise<OutgoingResponse> => {
    const { headers, json } = question;
    const { url, authorization } = withoutCredentials(question.url);
    return outgoing.send(url, {
      method: json === undefined ? 'GET' : 'POST',
      headers: {
        'user-agent': userAgent,
        accept: 'application/json',
        'accept-encoding': 'gzip, br',
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(authorization !== undefined && { authorization }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      signal,
    });
  };

  const attempt = async (question: JsonRequest, signal: AbortSignal): Promise<JsonReply | 'large'> => {
    const { status, headers: raw, body } = await send(question, signal);
    const headers = flat(raw);
    if (Number(headers['content-length']) > maxBytes) {
      body.destroy();
      return 'large';
    }
    const read = await readBody(body, headers['content-encoding'] ?? '', { maxBytes, truncate: false });
    if (read.kind === 'refused')
      return read.why === 'too large' ? 'large' : { status, headers, json: undefined };
    return { status, headers, json: parseJson(read.bytes) };
  };

  return async (title, question, signal) => {
    for (let isRetry = false; ; isRetry = true) {
      try {
        signal.throwIfAborted();
        const reply = await attempt(question, signal);
        if (reply === 'large')
          throw new ProviderError('too_large', `${title} sent more than ${maxBytes} bytes`);
        return reply;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ProviderError) throw error;
        const code = codeOf(error);
        if (isRetry || !retryableCodes.has(code)) throw connectionError(title, code);
      }
    }
  };
}

/** Basic authentication from an address such as `https://user:password@search.example.org/` (RFC 7617). */
function withoutCredentials(given: URL): { url: URL; authorization: string | undefined } {
  if (given.username === '' && given.password === '') return { url: given, authorization: undefined };
  const pair = `${decodeURIComponent(given.username)}:${decodeURIComponent(given.password)}`;
  const url = new URL(given);
  url.username = '';
  url.password = '';
  return { url, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function flat(raw: OutgoingResponse['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [name, [value ?? []].flat().join(', ')]),
  );
}

function codeOf(error: unknown): string {
  // Of several addresses that were dialled, one speaks for all.
  const [failure] = error instanceof AggregateError ? error.errors : [error];
  const { code, name } = (failure ?? {}) as { code?: string; name?: string };
  return name === 'HTTPParserError' ? 'HPE_INVALID' : (code ?? '');
}

/** The system's own text may hold an address or a URL, so only its code is looked at. */
function connectionError(title: string, code: string): ProviderError {
  const [kind, what] = describeFailure(code);
  return new ProviderError(kind, `${title} ${what}`);
}

function describeFailure(code: string): [FailureKind, string] {
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return ['timeout', 'did not answer in time'];
  if (code === 'ENOTFOUND')
    return ['connection', 'was not found: check its address, or the DNS of this machine'];
  if (code === 'EAI_AGAIN') return ['connection', 'could not be looked up: check the DNS of this machine'];
  if (code === 'ECONNREFUSED') return ['connection', 'refused the connection: check that it runs'];
  if (/CERT|^ERR_TLS|SELF_SIGNED|^UNABLE_TO|^ERR_SSL|^EPROTO/.test(code))
    return ['connection', 'has a TLS certificate that this machine does not accept'];
  if (/^HPE_|HEADERS_OVERFLOW|CONTENT_LENGTH/.test(code))
    return ['malformed', 'answered with something that is not valid HTTP'];
  return ['connection', 'could not be reached, or broke the connection'];
}
