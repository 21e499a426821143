import { fetchContent } from './fetch-content.ts';
import type { Tool } from './tool.ts';
import { webSearch } from './web-search.ts';

/** Every tool, in the order in which it is listed. */
export const tools: readonly Tool[] = [webSearch, fetchContent];
