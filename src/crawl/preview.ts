import { invalidParameters } from '../contract/errors.ts';
import type { RobotsFor } from './site/robots-cache.ts';
import type { SitemapGap, SitemapUrls } from './site/sitemap.ts';
import { canonicalUrl } from './url/canonical-url.ts';
import { createUrlScope, type UrlScopeOptions } from './url/url-scope.ts';
import { refusedByRobots, type Visit, type Visitor } from './visit.ts';

/** What a crawl of a site would find, as far as its robots.txt, its sitemaps and its first page tell. */
export interface CrawlPreview {
  /** Where the crawl would begin: the seed, or where it has moved. */
  readonly url: string;
  /** What the first page is: `a page`, or why it is none. */
  readonly firstPage: string;
  /** `allowed`, `refused by robots.txt`, or why it could not be read. */
  readonly robots: string;
  /** The pause between two requests that robots.txt asks for; null without one. */
  readonly crawlDelaySeconds: number | null;
  /** URLs in the sitemaps of the site that the crawl would visit. */
  readonly sitemapUrls: number;
  /** Sitemaps that were not read, or only in part, and why. */
  readonly sitemaps: readonly SitemapGap[];
  /** Links of the first page that the crawl would follow. */
  readonly links: number;
  /** Up to ten of the URLs that it would visit after the first page. */
  readonly examples: readonly string[];
}

export interface PreviewParts {
  readonly visitor: Visitor;
  readonly robotsFor: RobotsFor;
  readonly sitemapUrls: SitemapUrls;
}

export interface PreviewOptions extends Pick<UrlScopeOptions, 'include' | 'exclude' | 'samePath'> {
  readonly signal?: AbortSignal;
}

const maxExamples = 10;

/**
 * Asks a site for its robots.txt, its sitemaps and the first page of a crawl, at the pace of a crawl, and stores no page.
 * Throws a `ServiceError` (`invalid_parameters`) for a seed that is no http(s) URL.
 */
export async function previewCrawl(
  { visitor, robotsFor, sitemapUrls }: PreviewParts,
  seed: string,
  { signal, ...scopeOptions }: PreviewOptions = {},
): Promise<CrawlPreview> {
  const start = canonicalUrl(seed);
  if (start === null)
    throw invalidParameters([
      { parameter: 'url', message: `not an http(s) URL, such as https://example.com/: ${seed}` },
    ]);
  const { url, visit } = await visitor.visit(start, { signal, conditional: () => false });
  const answer = await robotsFor(url, signal);
  const gaps: SitemapGap[] = [];
  const listed = await sitemapUrls(url, signal, (gap) => gaps.push(gap));
  const isInScope = createUrlScope({ ...scopeOptions, seeds: [start, url] });
  const { host } = new URL(url);
  const isVisited = (other: string): boolean =>
    other !== url &&
    new URL(other).host === host &&
    isInScope(other) &&
    (answer.kind !== 'known' || answer.robots.allows(other));
  const fromSitemaps = listed.map((each) => each.url).filter(isVisited);
  const links = linksOf(visit).filter(isVisited);
  return {
    url,
    firstPage: describe(visit),
    robots: answer.kind === 'known' ? (answer.robots.allows(url) ? 'allowed' : refusedByRobots) : answer.why,
    crawlDelaySeconds: answer.kind === 'known' ? answer.robots.crawlDelaySeconds : null,
    sitemapUrls: fromSitemaps.length,
    sitemaps: gaps,
    links: links.length,
    examples: [...new Set([...links, ...fromSitemaps])].slice(0, maxExamples),
  };
}

function linksOf(visit: Visit): readonly string[] {
  return ('links' in visit ? visit.links : null) ?? [];
}

function describe(visit: Visit): string {
  switch (visit.kind) {
    case 'page':
    case 'unchanged':
      return 'a page';
    case 'moved':
      return `moved to ${visit.to}`;
    case 'gone':
      return 'not found';
    case 'never':
    case 'later':
      return visit.why;
  }
}
