import { connectorFetch } from './connector-fetch.ts';
import { connectorSearch } from './connector-search.ts';
import { fetchContent } from './fetch-content.ts';
import type { Tool } from './tool.ts';
import type { ToolName } from './tool-names.ts';
import { webSearch } from './web-search.ts';

/** The tools of v1, in the order in which they are listed. */
export const tools: readonly Tool[] = [webSearch, fetchContent];

/** The tools of these names, in the order of all tools. What is off by default and rare is loaded only when it is named. */
export async function toolsNamed(names: readonly ToolName[]): Promise<readonly Tool[]> {
  const wanted: ReadonlySet<string> = new Set(names);
  const rare = wanted.has('crawl_site') ? [(await import('./crawl-site.ts')).crawlSite] : [];
  return [...tools, connectorSearch, connectorFetch, ...rare].filter(({ name }) => wanted.has(name));
}
