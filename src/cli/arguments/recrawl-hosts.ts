import { invalidParameters } from '../../contract/errors.ts';
import type { DuePage } from '../../crawl/schedule.ts';
import { canonicalUrl } from '../../crawl/url/canonical-url.ts';
import { commandName } from './command-name.ts';

/** The hosts of these URLs; undefined without URLs, for all hosts. Throws a `ServiceError` (`invalid_parameters`). */
export function hostsOfUrls(urls: readonly string[]): ReadonlySet<string> | undefined {
  if (urls.length === 0) return undefined;
  const hosts = urls.map((text) => {
    const url = canonicalUrl(text);
    if (url !== null) return new URL(url).host;
    throw invalidParameters([{ parameter: 'url', message: `not an http(s) URL: ${text}` }]);
  });
  return new Set(hosts);
}

/** The last line of a recrawl: the number of pages that are still due, or the time of the next visit. */
export function describeDue(due: number, next: DuePage | undefined): string {
  if (due > 0) return `${due === 1 ? '1 page is' : `${due} pages are`} still due.\n`;
  if (next === undefined) return `No page is planned: "${commandName()} crawl URL" plans what it reads.\n`;
  return `Nothing else is due before ${new Date(next.dueAt).toLocaleString('sv')}.\n`;
}
