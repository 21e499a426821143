import { connectorFetch } from './connector-fetch.ts';
import { connectorSearch } from './connector-search.ts';
import { fetchContent } from './fetch-content.ts';
import type { Tool } from './tool.ts';
import type { ToolName } from './tool-names.ts';
import { webSearch } from './web-search.ts';

/** The tools of v1, in the order in which they are listed. */
export const tools: readonly Tool[] = [webSearch, fetchContent];

/** What ChatGPT and deep research ask of a server: these two names, one string each. */
export const connectorTools: readonly Tool[] = [connectorSearch, connectorFetch];

/** The tools of these names, in the order of all tools. */
export function toolsNamed(names: readonly ToolName[]): readonly Tool[] {
  const wanted: ReadonlySet<string> = new Set(names);
  return [...tools, ...connectorTools].filter(({ name }) => wanted.has(name));
}
