import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { abortable } from '../../async/abortable.ts';
import { readableErrors } from './readable-errors.ts';
import { createLegacyServer, type LegacyServerParts } from './server.ts';

/**
 * Answers one POST of MCP over Streamable HTTP (specification 2025-11-25, basic/transports) without sessions: every POST
 * gets its own server. The answer is plain JSON, or an event stream when a call has a progress token. Without a session, a
 * client cancels a call by disconnecting.
 */
export async function answerLegacy(
  request: Request,
  message: unknown,
  parts: LegacyServerParts,
): Promise<Response> {
  const server = createLegacyServer(parts);
  // Logged as debug only: the sender gets the error, and any client may send anything.
  server.onerror = (error) => parts.log.debug({ err: error }, 'a message to or from an MCP client failed');
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !asksForProgress(message),
  });
  await server.connect(readableErrors(transport, parts.log));
  const { signal } = request;
  const closeServer = (): void => void server.close();
  if (signal.aborted) closeServer();
  else signal.addEventListener('abort', closeServer, { once: true });
  // Node keeps a dependent signal, and the whole request with it, for as long as it has a listener.
  const forget = (): void => signal.removeEventListener('abort', closeServer);
  try {
    const response = await abortable(
      transport.handleRequest(acceptingBoth(request), { parsedBody: message }),
      signal,
    );
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    if (isStream && response.body !== null) return withEnd(response, response.body, forget);
    forget();
    return response;
  } catch (error) {
    forget();
    throw error;
  }
}

/**
 * A request without `Accept`, or with a wildcard, accepts both types of answers (RFC 9110, section 12.5.1). The SDK takes the two
 * names alone.
 */
function acceptingBoth(request: Request): Request {
  const accepted = request.headers.get('accept');
  if (accepted !== null && !accepted.includes('*/*')) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(request.url, { method: request.method, headers });
}

/** Whether a message, or one of a batch as old clients send it, has a progress token. */
function asksForProgress(message: unknown): boolean {
  return [message].flat().some((each) => {
    const { params } = (each ?? {}) as { params?: { _meta?: { progressToken?: unknown } } };
    return params?._meta?.progressToken !== undefined;
  });
}

/** The same response, which calls `onEnd` when its stream has ended. */
function withEnd(response: Response, body: ReadableStream<Uint8Array>, onEnd: () => void): Response {
  const observed = body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ flush: onEnd }));
  return new Response(observed, { status: response.status, headers: response.headers });
}
