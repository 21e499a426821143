import { isModern } from './era.ts';
import { createMcpOffer, type McpServerOptions } from './mcp-offer.ts';
import type { Admit } from './request-context.ts';
import { rpcCodes } from './rpc-error.ts';

/** Answers one POST. `admit` counts its tool calls. */
export type McpOverHttp = (request: Request, admit?: Admit) => Promise<Response>;

type AnswerMessage = (request: Request, message: unknown, admit?: Admit) => Promise<Response>;

/** Far above any request; answers have no such limit. */
export const maxMessageBytes = 1024 * 1024;

/**
 * MCP over Streamable HTTP without sessions, in the revision of the protocol that each request asks for. Every POST gets its
 * own server, so that no data of one client can reach another. The code of a revision is loaded when it is first asked for.
 */
export function createMcpOverHttp(options: McpServerOptions): McpOverHttp {
  const answerLegacy = once(() => legacyAnswer(options));
  const answerModern = once(() => modernAnswer(options));
  return async (request, admit) => {
    const text = await readText(request, maxMessageBytes);
    if (text === undefined)
      return errorResponse(413, rpcCodes.refused, `A message may have at most ${maxMessageBytes} bytes.`);
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return errorResponse(400, rpcCodes.parse, 'Parse error: this is not JSON.');
    }
    const version = request.headers.get('mcp-protocol-version') ?? undefined;
    const answer = await (isModern(message, version) ? answerModern() : answerLegacy());
    try {
      return await answer(request, message, admit);
    } catch (error) {
      // A client that disconnects aborts with a string, which Hono does not accept as an error.
      throw error instanceof Error ? error : new Error(String(error));
    }
  };
}

async function legacyAnswer(options: McpServerOptions): Promise<AnswerMessage> {
  const { answerLegacy } = await import('./legacy/http.ts');
  const offer = createMcpOffer(options);
  return (request, message, admit) => answerLegacy(request, message, { offer, log: options.log, admit });
}

async function modernAnswer(options: McpServerOptions): Promise<AnswerMessage> {
  const { createModernAnswer } = await import('./modern/http.ts');
  return createModernAnswer({ offer: createMcpOffer(options), log: options.log });
}

function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined;
  return () => {
    created ??= create();
    return created;
  };
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
