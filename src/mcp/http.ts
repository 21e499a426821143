import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { abortable } from '../async/abortable.ts';
import { readableErrors } from './readable-errors.ts';
import { createMcpServer, type McpServerOptions } from './server.ts';
import type { Admit } from './tool-call.ts';

export type McpOverHttpOptions = Omit<McpServerOptions, 'admit'>;

/** Answers one POST. `admit` counts its tool calls. */
export type McpOverHttp = (request: Request, admit?: Admit) => Promise<Response>;

/** Far above any request; answers have no such limit. */
export const maxMessageBytes = 1024 * 1024;

/**
 * MCP over Streamable HTTP (specification 2025-11-25, basic/transports) without sessions: every POST gets its own server,
 * so that no data of one client can reach another. The answer is plain JSON, or an event stream when a call has a progress
 * token. Without a session, a client cancels a call by disconnecting.
 */
export function createMcpOverHttp(options: McpOverHttpOptions): McpOverHttp {
  return async (request, admit) => {
    const text = await readText(request, maxMessageBytes);
    if (text === undefined)
      return errorResponse(413, -32000, `A message may have at most ${maxMessageBytes} bytes.`);
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return errorResponse(400, ErrorCode.ParseError, 'Parse error: this is not JSON.');
    }

    const server = createMcpServer({ ...options, ...(admit && { admit }) });
    // Logged as debug only: the sender gets the error, and any client may send anything.
    server.onerror = (error) =>
      options.log.debug({ err: error }, 'a message to or from an MCP client failed');
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: !asksForProgress(message),
    });
    await server.connect(readableErrors(transport, options.log));
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
      // A client that disconnects aborts with a string, which Hono does not accept as an error.
      throw error instanceof Error ? error : new Error(String(error));
    }
  };
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

/** The body as text; undefined when it is longer than `maxBytes`, beyond which nothing is read. */
async function readText(request: Request, maxBytes: number): Promise<string | undefined> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) return undefined;
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function errorResponse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
