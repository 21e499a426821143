import { z } from 'zod';
import { ServiceError } from '../src/contract/errors.ts';
import { integer } from '../src/contract/search.ts';
import type { Tool } from './tool.ts';
import { untrusted } from './untrusted.ts';

const maxPagesOfCall = 100;
/** A page that is crawled costs its client a part of one that is read: the site's pace limits it anyway. */
const pagesPerToken = 5;
const maxCount = Number.MAX_SAFE_INTEGER;

const CrawlSiteParams = z.object({
  url: z.string().trim().min(1).describe('Where to begin; links are followed from there on its host.'),
  max_pages: integer(1, maxPagesOfCall, 20).describe('Maximum pages to read.'),
  same_path: z
    .preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean())
    .default(true)
    .describe('Follow only links into the folder of url.'),
});

const whose = untrusted('urls, not_stored');

const CrawledSite = z.object({
  untrusted: whose,
  stored: z.int().min(0).max(maxCount).describe('New or changed pages; web_search finds them now.'),
  unchanged: z.int().min(0).max(maxCount).describe('Pages that were up to date.'),
  urls: z.array(z.string()).describe('The first of both.'),
  not_stored: z
    .array(z.object({ why: z.string(), count: z.int().min(1).max(maxCount), urls: z.array(z.string()) }))
    .describe('What was visited without becoming a page, and why.'),
  queued: z.int().min(0).max(maxCount).describe('URLs left: the same call goes on with them.'),
  ended: z.string().optional().describe('Why it ended early.'),
});

/** `crawl_site`: a bounded crawl, off unless `GLEANER_TOOLS` names it. */
export const crawlSite: Tool<typeof CrawlSiteParams, typeof CrawledSite> = {
  name: 'crawl_site',
  title: 'Add pages of a site',
  describe:
    () => `Add pages of a site to the index: reads url and what it links to, politely (about one page a second, as robots.txt allows), and keeps them for web_search.

Use it when a whole documentation or section is needed and web_search has too little of it; for one page, fetch_content with its url is quicker. Then search with site. It ends after max_pages or some 45 seconds: where queued is not 0, the same call goes on.`,
  input: CrawlSiteParams,
  otherNames: {
    uri: 'url',
    link: 'url',
    site: 'url',
    seed: 'url',
    limit: 'max_pages',
    pages: 'max_pages',
    max: 'max_pages',
  },
  output: CrawledSite,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  countsAs: 'content',
  tokens: ({ max_pages }) => Math.ceil(max_pages / pagesPerToken),

  async handle(engine, { url, max_pages: maxPages, same_path: samePath }, options) {
    if (!engine.crawlSite)
      throw new ServiceError('unavailable', 'this service has no crawler: the machine that crawls has one');
    const { notStored, ...report } = await engine.crawlSite({ url, maxPages, samePath }, options);
    return {
      untrusted: whose.value,
      ...report,
      urls: [...report.urls],
      not_stored: notStored.map((each) => ({ ...each, urls: [...each.urls] })),
    };
  },
};
