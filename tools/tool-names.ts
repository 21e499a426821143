/** Every tool by its name; the first two are those of v1. */
export const toolNames = ['web_search', 'fetch_content', 'search', 'fetch'] as const;
export type ToolName = (typeof toolNames)[number];

/** The tools that clients see unless `GLEANER_TOOLS` names others. */
export const defaultToolNames: readonly ToolName[] = ['web_search', 'fetch_content'];
