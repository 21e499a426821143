import { version } from '../../app/about.ts';
import type { Config } from '../../config/config.ts';
import { opennessWarning } from '../../store/lmdb/openness-warning.ts';
import { commandName } from '../arguments/command-name.ts';
import { localUrl } from '../local-url.ts';
import { sayOnStderr } from './say.ts';

/** The lines that `gleaner serve` writes for a person, whether it is one process or several. */
export function sayAddress(url: string, { dataFolder }: Config): void {
  sayOnStderr(`Gleaner ${version} listens on ${url}`);
  const openness = opennessWarning(dataFolder);
  if (openness !== undefined) sayOnStderr(`Warning: ${openness}`);
}

/** Said once the index can be searched. */
export function sayReady(url: string, pageCount: number, { dataFolder, workers }: Config): void {
  const origin = localUrl(url);
  const pages = pageCount === 1 ? '1 page' : `${pageCount} pages`;
  sayOnStderr(`Data folder ${dataFolder}: ${pages} in the index`);
  if (workers > 1) sayOnStderr(`Workers:    ${workers}, and one process that writes`);
  sayOnStderr(`Search:     curl '${new URL('/api/v1/search?q=gleaner', origin)}'`);
  sayOnStderr(`MCP:        ${new URL('/mcp', origin)}`);
  sayOnStderr(`Add pages:  ${commandName()} crawl https://example.com/`);
}

/** Where crawls are started from; with the token that opens it, where there is one. */
export function sayAdmin(url: string, token: string | undefined): void {
  const page = new URL('/admin', localUrl(url));
  if (token !== undefined) page.searchParams.set('token', token);
  sayOnStderr(`Manage:     ${page}`);
}

export function sayRecrawls(): void {
  sayOnStderr('Stored pages are visited again when they are due.');
}

export function sayStopping(): void {
  sayOnStderr('Stopping: answers under way are finished first.');
}

export function sayTooSlow(): void {
  sayOnStderr('Stopping took too long: ending without waiting any more.');
}
