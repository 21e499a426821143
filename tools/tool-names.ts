/** Every tool by its name; the first two are those of v1. */
export const toolNames = ['web_search', 'fetch_content', 'search', 'fetch', 'crawl_site'] as const;
export type ToolName = (typeof toolNames)[number];

/** The tools that clients see unless `GLEANER_TOOLS` names others. */
export const defaultToolNames: readonly ToolName[] = ['web_search', 'fetch_content'];

/** What ChatGPT and deep research ask of a server: these two names, one string each. */
export const connectorToolNames: readonly ToolName[] = ['search', 'fetch'];
