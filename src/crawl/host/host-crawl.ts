import type { Sleep } from '../../async/sleep.ts';
import type { CommitVisitParts } from '../commit-visit.ts';
import type { Frontier } from '../frontier.ts';
import type { PageBudget } from '../page-budget.ts';
import type { CheckLlmsTxt } from '../site/llms-txt.ts';
import type { SitemapUrls } from '../site/sitemap.ts';
import type { HostPages } from './time-left.ts';

/** The crawl of one host: what it is given. */
export interface HostCrawl extends CommitVisitParts {
  readonly seeds: readonly string[];
  readonly frontier: Frontier;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly samePath?: boolean;
  readonly isCrawledElsewhere?: (url: string) => boolean;
  readonly checkLlmsTxt?: CheckLlmsTxt;
  readonly sitemapUrls?: SitemapUrls;
  readonly budget: PageBudget;
  readonly pages: HostPages;
  readonly maxDepth: number;
  readonly signal: AbortSignal;
  readonly sleep: Sleep;
  readonly onPause: ((pause: HostPause) => void) | undefined;
}

/** A host is left alone for a while, and the crawl of it waits. */
export interface HostPause {
  readonly host: string;
  readonly why: string;
  readonly seconds: number;
}
