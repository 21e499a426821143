import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';

const reasons: Record<string, readonly [status: number, detail: string]> = {
  HPE_INVALID_URL: [
    400,
    "the URL holds characters that must be percent-encoded; with curl: curl -G --data-urlencode 'q=...' URL",
  ],
  HPE_HEADER_OVERFLOW: [431, 'the URL and the headers together are too long'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
};

/**
 * The whole response, as it goes over the wire, to bytes that node could not read as a request; no route ever sees
 * those. Problem details like all other errors. `code` is that of node's `clientError`.
 */
export function malformedResponse(code: string | undefined): string {
  const [status, detail] = reasons[code ?? ''] ?? [400, 'this is not a valid HTTP request'];
  const title = STATUS_CODES[status];
  const body = JSON.stringify({ type: 'about:blank', title, status, detail });
  return [
    `HTTP/1.1 ${status} ${title}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${randomUUID()}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
