import { toolsNamed } from '../../tools/index.ts';
import type { ServerFacts } from '../../tools/server-facts.ts';
import type { ToolName } from '../../tools/tool-names.ts';
import { type ListedTool, listedTool } from './listed-tool.ts';
import { rpcCodes, rpcError } from './rpc-error.ts';
import { createToolCall, type ToolCall, type ToolCallParts } from './tool-call.ts';

/** The tools of an offer, loaded. */
export interface OfferedTools {
  list(): ListedTool[];
  /** Throws only for an unknown tool, and after it was cancelled. A refused call is a result with `isError`. */
  call(name: string, ...args: Parameters<ToolCall>): ReturnType<ToolCall>;
}

export async function offerTools(
  names: readonly ToolName[],
  facts: ServerFacts,
  parts: ToolCallParts,
): Promise<OfferedTools> {
  const tools = await toolsNamed(names);
  const calls = new Map(tools.map((tool) => [tool.name, createToolCall(tool, parts)]));
  let listed: ListedTool[] | undefined;
  return {
    list: () => {
      listed ??= tools.map((tool) => listedTool(tool, facts));
      return listed;
    },
    call: async (name, args, context) => {
      const call = calls.get(name);
      if (!call)
        throw rpcError(
          rpcCodes.invalidParams,
          `Unknown tool: ${name}. The tools are: ${[...calls.keys()].join(', ')}.`,
        );
      return call(args, context);
    },
  };
}
