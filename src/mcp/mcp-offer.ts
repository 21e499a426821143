import { strokesIcon } from '../../tools/icon.ts';
import { fullServer, type ServerFacts } from '../../tools/server-facts.ts';
import type { Tool } from '../../tools/tool.ts';
import { instructionsFor } from './instructions.ts';
import { type ListedTool, listedTool } from './listed-tool.ts';
import type { RequestContext } from './request-context.ts';
import { createResources, type Resources } from './resources.ts';
import { rpcCodes, rpcError } from './rpc-error.ts';
import { createToolCall, type ToolCallParts } from './tool-call.ts';
import type { ToolResult } from './tool-result.ts';

const icon = {
  src: strokesIcon('<circle cx="10" cy="10" r="6"/><path d="m15 15 6 6"/>'),
  mimeType: 'image/svg+xml',
  sizes: ['any'],
};

export interface McpServerOptions extends ToolCallParts {
  readonly tools: readonly Tool[];
  readonly version: string;
  /** What the descriptions say of this server; by default that it does all. */
  readonly facts?: ServerFacts;
}

/** What Gleaner offers over MCP, whatever revision of the protocol a client speaks. It knows no SDK. */
export interface McpOffer extends Resources {
  readonly info: { name: string; title: string; version: string; icons: (typeof icon)[] };
  readonly instructions: string;
  readonly capabilities: { tools: object; prompts: object; resources: object };
  listTools(): { tools: ListedTool[] };
  /** Throws only for an unknown tool, and after it was cancelled. A refused call is a result with `isError`. */
  callTool(
    name: string,
    args: Record<string, unknown> | undefined,
    context: RequestContext,
  ): Promise<ToolResult>;
  /** There are no prompts, but strict clients fail on "method not found". */
  listPrompts(): { prompts: never[] };
}

export function createMcpOffer({ tools, version, facts = fullServer, ...parts }: McpServerOptions): McpOffer {
  const calls = new Map(tools.map((tool) => [tool.name, createToolCall(tool, parts)]));
  let listed: ListedTool[] | undefined;
  return {
    info: { name: 'gleaner', title: 'Gleaner', version, icons: [icon] },
    instructions: instructionsFor(tools, facts),
    capabilities: { tools: {}, prompts: {}, resources: {} },
    listTools: () => {
      listed ??= tools.map((tool) => listedTool(tool, facts));
      return { tools: listed };
    },
    callTool: async (name, args = {}, context) => {
      const call = calls.get(name);
      if (!call) throw unknownTool(name, tools);
      return call(args, context);
    },
    listPrompts: () => ({ prompts: [] }),
    ...createResources(parts),
  };
}

function unknownTool(name: string, tools: readonly Tool[]): Error {
  const names = tools.map((tool) => tool.name).join(', ');
  return rpcError(rpcCodes.invalidParams, `Unknown tool: ${name}. The tools are: ${names}.`);
}
