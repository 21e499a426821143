import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Admit } from '../request-context.ts';
import { createModernServer, type ModernServerParts } from './server.ts';

/** Nothing of ours changes while it runs, so a subscription only waits; few clients have a reason to open one. */
const maxSubscriptions = 64;

/**
 * Creates the answer to one POST of MCP 2026-07-28 over Streamable HTTP: plain JSON, or an event stream once a call reports
 * progress. A client cancels a call by disconnecting.
 */
export function createModernAnswer(
  parts: Omit<ModernServerParts, 'admit'>,
): (request: Request, message: unknown, admit?: Admit) => Promise<Response> {
  const admits = new WeakMap<Request, Admit>();
  const handler = createMcpHandler(
    ({ requestInfo }) => createModernServer({ ...parts, admit: requestInfo && admits.get(requestInfo) }),
    {
      legacy: 'reject',
      maxSubscriptions,
      onerror: (error) => parts.log.debug({ err: error }, 'a message to or from an MCP client failed'),
    },
  );
  return (request, message, admit) => {
    if (admit) admits.set(request, admit);
    return handler.fetch(request, { parsedBody: message });
  };
}
