import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

const reasons: Record<string, readonly [status: number, detail: string]> = {
  HPE_INVALID_URL: [
    400,
    "the URL holds characters that must be percent-encoded; with curl: curl -G --data-urlencode 'q=...' URL",
  ],
  HPE_HEADER_OVERFLOW: [431, 'the URL and the headers together are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
  missing_host: [400, 'HTTP/1.1 needs a Host header'],
  unusable_target: [400, 'the Host header or the target of the request is not one that leads here'],
  expectation: [417, 'the only expectation that can be met is 100-continue'],
};

export interface RawHttpError {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The response to bytes that could not be parsed as a request, and so reach no route: problem details with a request
 * id, like all other errors. `code` is the code of Node's `clientError`, or one of our own in `reasons`.
 */
export function rawHttpError(code: string | undefined): RawHttpError {
  const [status, detail] = reasons[code ?? ''] ?? [400, 'this is not a valid HTTP request'];
  const body = JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, detail });
  const headers = {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomUUID(),
    Connection: 'close',
  };
  return { status, headers, body };
}

/** The response as bytes for a socket, where Node has made no `ServerResponse`. */
export function serializeHttp({ status, headers, body }: RawHttpError): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields, '', body].join('\r\n');
}
