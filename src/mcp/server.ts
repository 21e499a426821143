import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  type Tool as ListedTool,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Tool } from '../../tools/tool.ts';
import { instructionsFor } from './instructions.ts';
import { serveResources } from './resources.ts';
import { createToolCall, type ToolCallParts } from './tool-call.ts';

export interface McpServerOptions extends ToolCallParts {
  readonly tools: readonly Tool[];
  readonly version: string;
}

/**
 * An MCP server that offers `tools` over one connection. A refused call is a result with `isError` and a text for the
 * model; only an unknown tool is a protocol error. Cancelling a request aborts the engine's signal.
 */
export function createMcpServer({ tools, version, ...parts }: McpServerOptions): Server {
  const { log } = parts;
  const server = new Server(
    { name: 'gleaner', title: 'Gleaner', version },
    {
      capabilities: { tools: {}, prompts: {}, resources: {} },
      instructions: instructionsFor(tools),
      jsonSchemaValidator: noElicitation,
    },
  );
  server.onerror = (error) => {
    const isBadLine = error instanceof SyntaxError || 'issues' in error;
    // The client gets an answer to it; the details are long and help few.
    if (!isBadLine) return log.warn({ err: error }, 'a message to or from the MCP client failed');
    log.warn({}, 'a line of the MCP client is no JSON-RPC message');
    log.debug({ err: error }, 'what is wrong with the line');
  };

  const calls = new Map(tools.map((tool) => [tool.name, createToolCall(tool, parts)]));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal, _meta, sendNotification }) => {
    const call = calls.get(params.name);
    if (!call) throw unknownTool(params.name, tools);
    const progressToken = _meta?.progressToken;
    return call(params.arguments ?? {}, {
      signal,
      ...(progressToken !== undefined && {
        sendProgress: (progress) =>
          sendNotification({ method: 'notifications/progress', params: { progressToken, ...progress } }),
      }),
    });
  });

  // There are no prompts, but strict clients fail on "method not found".
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [] }));
  serveResources(server, parts);
  return server;
}

/** The SDK's own handler would send draft-07 schemas, an `execution` member, and no icons. */
function listed({ name, title, icon, description, annotations, input, output, meta }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    inputSchema: jsonSchema(input, 'input'),
    outputSchema: jsonSchema(output, 'output'),
    annotations,
    icons: [{ src: icon, mimeType: 'image/svg+xml', sizes: ['any'] }],
    ...(meta && { _meta: { ...meta } }),
  };
}

/** A longer pattern costs a model more tokens than it helps: the description says the same. */
const maxPatternChars = 100;

/**
 * JSON Schema 2020-12 without `$ref`. `$schema` is left out: it is the default of MCP (specification 2025-11-25,
 * basic/index), and older clients fail on a dialect that their validator does not support.
 */
function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): ListedTool['inputSchema'] {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    override: ({ jsonSchema: each }) => {
      if ((each.pattern?.length ?? 0) > maxPatternChars) delete each.pattern;
    },
  });
  return oneTypeEach(rest) as ListedTool['inputSchema'];
}

/** Nullable types become `anyOf`: clients that pass schemas to a model may support a single `type` only. */
function oneTypeEach(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(oneTypeEach);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { type, ...rest } = schema as { readonly type?: unknown };
  const inner = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, oneTypeEach(value)]));
  if (type === undefined) return inner;
  return Array.isArray(type) ? { anyOf: type.map((each) => ({ type: each })), ...inner } : { type, ...inner };
}

/** The SDK copies `code` into the JSON-RPC error; its own McpError would repeat the code in the message. */
function unknownTool(name: string, tools: readonly Tool[]): Error {
  const names = tools.map((tool) => tool.name).join(', ');
  return Object.assign(new Error(`Unknown tool: ${name}. The tools are: ${names}.`), {
    code: ErrorCode.InvalidParams,
  });
}

/** Saves creating a validator for elicitation at the start: this server never asks the user anything. */
const noElicitation = {
  getValidator(): never {
    throw new Error('this server does not use elicitation');
  },
};
