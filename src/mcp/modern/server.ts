import { type JSONRPCRequest, type Result, Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Log } from '../../runtime.ts';
import { describeIssues } from '../describe-issues.ts';
import type { McpOffer } from '../mcp-offer.ts';
import type { Admit } from '../request-context.ts';
import { rpcCodes, rpcError } from '../rpc-error.ts';

export interface ModernServerParts {
  readonly offer: McpOffer;
  readonly log: Log;
  readonly admit?: Admit | undefined;
}

/**
 * How long clients may keep what is the same for everybody until the service restarts. What a resource says is not kept:
 * the index changes while it is read.
 */
const sameForAll = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const cacheHints = {
  'server/discover': sameForAll,
  'tools/list': sameForAll,
  'prompts/list': sameForAll,
  'resources/list': sameForAll,
  'resources/templates/list': sameForAll,
};

/**
 * A server for requests of MCP 2026-07-28, each of which stands for itself; also for a client that asks `server/discover` and
 * begins with `initialize` nevertheless.
 */
export function createModernServer({ offer, log, admit }: ModernServerParts): Server {
  const { info, capabilities, instructions } = offer;
  const server = new ReadableServer(log, info, { capabilities, instructions, cacheHints });
  server.onerror = (error) => log.debug({ err: error }, 'a message to or from an MCP client failed');

  server.setRequestHandler('tools/list', () => offer.listTools());
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    return offer.callTool(params.name, params.arguments, {
      signal: mcpReq.signal,
      admit,
      sendProgress:
        progressToken === undefined
          ? undefined
          : (progress) =>
              mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...progress } }),
    });
  });
  server.setRequestHandler('prompts/list', () => offer.listPrompts());
  server.setRequestHandler('resources/list', () => offer.listResources());
  server.setRequestHandler('resources/templates/list', () => offer.listResourceTemplates());
  server.setRequestHandler('resources/read', ({ params: { uri } }, { mcpReq }) =>
    offer.readResource(uri, {
      signal: mcpReq.signal,
      admit,
      // MCP 2026-07-28, server/resources, "Error Handling".
      resourceNotFound: rpcCodes.invalidParams,
    }),
  );
  return server;
}

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

/**
 * A server whose errors can be read: for invalid parameters of a request the SDK would send a dump of its parser. An error
 * without a code is a bug: it is logged, and its message is not sent.
 */
class ReadableServer extends Server {
  readonly #log: Log;

  constructor(log: Log, ...options: ConstructorParameters<typeof Server>) {
    super(...options);
    this.#log = log;
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        throw context.mcpReq.signal.aborted ? error : this.#readable(error as Error & { code?: number });
      }
    };
  }

  #readable(error: Error & { readonly code?: number }): Error {
    const wrong = describeIssues(error.message);
    if (wrong !== undefined) return rpcError(rpcCodes.invalidParams, `Invalid params: ${wrong}.`);
    if (error.code !== undefined) return error;
    this.#log.error({ err: error }, 'an MCP request failed');
    return rpcError(rpcCodes.internal, 'Internal error. It has been logged.');
  }
}
