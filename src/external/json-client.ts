import { flattenHeaders } from '../crawl/fetch/flatten-headers.ts';
import { errorCode, type NetworkFailure, networkFailure } from '../crawl/fetch/network-failure.ts';
import { readBody } from '../crawl/fetch/response-body.ts';
import type { Outgoing, OutgoingResponse } from '../runtime.ts';
import { type FailureKind, ProviderError } from './search-provider.ts';

/** A request to a provider. The URL and the headers may contain its key. */
export interface JsonRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of a POST, sent as JSON; without it the method is GET. */
  readonly json?: unknown;
}

export interface JsonReply {
  readonly status: number;
  /** Lower-case names; repeated ones joined by commas (RFC 9110 section 5.3). */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
}

/**
 * Sends a request, and retries once when the connection broke before an answer. Rejects with a `ProviderError` that
 * names the provider, or with the signal's reason. A reply with any status resolves.
 */
export type JsonClient = (title: string, request: JsonRequest, signal: AbortSignal) => Promise<JsonReply>;

export interface JsonClientOptions {
  readonly outgoing: Outgoing;
  /** Our name, version and contact. */
  readonly userAgent: string;
  /** Maximum size of an answer after decompression; 2 MB by default. */
  readonly maxBytes?: number;
}

const twoMegabytes = 2 * 1024 * 1024;

export function createJsonClient({
  outgoing,
  userAgent,
  maxBytes = twoMegabytes,
}: JsonClientOptions): JsonClient {
  const send = (request: JsonRequest, signal: AbortSignal): Promise<OutgoingResponse> => {
    const { headers, json } = request;
    const { url, authorization } = withoutCredentials(request.url);
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

  const attempt = async (request: JsonRequest, signal: AbortSignal): Promise<JsonReply | 'large'> => {
    const { status, headers: raw, body } = await send(request, signal);
    const headers = flattenHeaders(raw, ', ');
    if (Number(headers['content-length']) > maxBytes) {
      body.destroy();
      return 'large';
    }
    const content = await readBody(body, headers['content-encoding'] ?? '', { maxBytes, truncate: false });
    if (content.kind === 'refused')
      return content.why === 'too large' ? 'large' : { status, headers, json: undefined };
    return { status, headers, json: parseJson(content.bytes) };
  };

  return async (title, request, signal) => {
    for (let isRetry = false; ; isRetry = true) {
      try {
        signal.throwIfAborted();
        const reply = await attempt(request, signal);
        if (reply === 'large')
          throw new ProviderError('too_large', `${title} sent more than ${maxBytes} bytes`);
        return reply;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ProviderError) throw error;
        const failure = networkFailure(errorCode(error));
        // A kept-alive connection that the server had closed. Other failures would only repeat.
        if (!isRetry && failure === 'connection reset') continue;
        throw connectionError(title, failure, error);
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

/** The message of the system is not used: it may contain an address or a URL. */
function connectionError(title: string, failure: NetworkFailure, error: unknown): ProviderError {
  const { proxySetting } = error as { readonly proxySetting?: string };
  if (proxySetting !== undefined)
    return new ProviderError(
      'connection',
      `${title} was not asked: its proxy ${proxyFailure(failure)}: check ${proxySetting}`,
    );
  const [kind, what] = describeFailure(failure);
  return new ProviderError(kind, `${title} ${what}`);
}

function proxyFailure(failure: NetworkFailure): string {
  if (failure === 'host not found') return 'was not found';
  return failure === 'connection refused' ? 'refused the connection' : 'could not be reached';
}

function describeFailure(failure: NetworkFailure): [FailureKind, string] {
  switch (failure) {
    case 'timeout':
    case 'slow body':
      return ['timeout', 'did not answer in time'];
    case 'host not found':
      return ['connection', 'was not found: check its address, or the DNS of this machine'];
    case 'lookup failed':
      return ['connection', 'could not be looked up: check the DNS of this machine'];
    case 'connection refused':
      return ['connection', 'refused the connection: check that it runs'];
    case 'certificate':
    case 'tls':
      return ['connection', 'has a TLS certificate that this machine does not accept'];
    case 'headers too large':
    case 'invalid http':
    case 'content length':
      return ['malformed', 'answered with something that is not valid HTTP'];
    case 'connection reset':
    case 'other':
      return ['connection', 'could not be reached, or broke the connection'];
  }
}
