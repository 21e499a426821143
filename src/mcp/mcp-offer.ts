import { strokesIcon } from '../../tools/icon.ts';
import { fullServer, type ServerFacts } from '../../tools/server-facts.ts';
import type { ToolName } from '../../tools/tool-names.ts';
import { instructionsFor } from './instructions.ts';
import type { ListedTool } from './listed-tool.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { RequestContext } from './request-context.ts';
import { createResources, type Resources } from './resources.ts';
import type { ToolCallParts } from './tool-call.ts';
import type { ToolResult } from './tool-result.ts';

const icon = {
  src: strokesIcon('<circle cx="10" cy="10" r="6"/><path d="m15 15 6 6"/>'),
  mimeType: 'image/svg+xml',
  sizes: ['any'],
};

export interface McpServerOptions extends ToolCallParts {
  /** The tools that clients see. Their code is loaded when a client asks for it: no client waits for it at the start. */
  readonly tools: readonly ToolName[];
  readonly version: string;
  /** What the descriptions say of this server; by default that it does all. */
  readonly facts?: ServerFacts;
}

/** What Gleaner offers over MCP, whatever revision of the protocol a client speaks. It knows no SDK. */
export interface McpOffer extends Resources {
  readonly info: { name: string; title: string; version: string; icons: (typeof icon)[] };
  readonly instructions: string;
  readonly capabilities: { tools: object; prompts: object; resources: object };
  listTools(): Promise<{ tools: ListedTool[] }>;
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
  let loading: Promise<OfferedTools> | undefined;
  const offered = (): Promise<OfferedTools> => {
    loading ??= import('./offered-tools.ts').then(({ offerTools }) => offerTools(tools, facts, parts));
    return loading;
  };
  return {
    info: { name: 'gleaner', title: 'Gleaner', version, icons: [icon] },
    instructions: instructionsFor(tools, facts),
    capabilities: { tools: {}, prompts: {}, resources: {} },
    listTools: async () => ({ tools: (await offered()).list() }),
    callTool: async (name, args = {}, context) => (await offered()).call(name, args, context),
    listPrompts: () => ({ prompts: [] }),
    ...createResources(parts),
  };
}
