import { invalidParameters } from '../contract/errors.ts';
import type { DuePage } from '../crawl/schedule.ts';
import { canonicalUrl } from '../crawl/url/canonical-url.ts';

/** The hosts of these URLs, to visit no others; undefined for none. Throws a `ServiceError` (`invalid_parameters`). */
export function hostsOf(urls: readonly string[]): ReadonlySet<string> | undefined {
  if (urls.length === 0) return undefined;
  const hosts = urls.map((text) => {
    const url = canonicalUrl(text);
    if (url !== null) return new URL(url).host;
    throw invalidParameters([{ parameter: 'url', message: `not an http(s) URL: ${text}` }]);
  });
  return new Set(hosts);
}

/** What is left to say after a recrawl: how much is due now, or when the next page will be. */
export function describeDue(due: number, next: DuePage | undefined): string {
  if (due > 0) return `${due === 1 ? '1 page is' : `${due} pages are`} still due.\n`;
  if (next === undefined) return 'No page is planned: "gleaner crawl URL" plans what it reads.\n';
  return `Nothing else is due before ${new Date(next.dueAt).toLocaleString('sv')}.\n`;
}
