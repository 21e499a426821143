import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Log } from '../../runtime.ts';
import type { McpOffer } from '../mcp-offer.ts';
import type { Admit } from '../request-context.ts';

export interface LegacyServerParts {
  readonly offer: McpOffer;
  readonly log: Log;
  readonly admit?: Admit | undefined;
}

/** Code of MCP 2025-11-25, server/resources, "Error Handling". */
const resourceNotFound = -32002;

/**
 * A server for one connection of a client that begins with `initialize`: MCP 2025-11-25 and older. Cancelling a request
 * aborts the engine's signal.
 */
export function createLegacyServer({ offer, log, admit }: LegacyServerParts): Server {
  const { info, capabilities, instructions } = offer;
  const server = new Server(info, { capabilities, instructions, jsonSchemaValidator: noElicitation });
  server.onerror = (error) => log.warn({ err: error }, 'a message to or from the MCP client failed');

  server.setRequestHandler(ListToolsRequestSchema, () => offer.listTools());
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken;
    return offer.callTool(params.name, params.arguments, {
      signal,
      admit,
      sendProgress:
        progressToken === undefined
          ? undefined
          : (progress) =>
              sendNotification({
                method: 'notifications/progress',
                params: { progressToken, ...progress },
              }),
    });
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => offer.listPrompts());
  server.setRequestHandler(ListResourcesRequestSchema, () => offer.listResources());
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => offer.listResourceTemplates());
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }, { signal }) =>
    offer.readResource(uri, { signal, admit, resourceNotFound }),
  );
  return server;
}

/** Saves creating a validator for elicitation at the start: this server never asks the user anything. */
const noElicitation = {
  getValidator(): never {
    throw new Error('this server does not use elicitation');
  },
};
