import { createCrawler } from '../../app/crawler.ts';
import { domainRulesOf } from '../../app/live/domain-rules-file.ts';
import type { Config } from '../../config/config.ts';
import type { CrawlPreview } from '../../crawl/preview.ts';
import { openPageStore } from '../../store/lmdb-store.ts';
import { createPageWriter } from '../../store/page-writer.ts';
import { commandCredentials } from '../arguments/typed-credentials.ts';
import { printableText } from '../output/printable.ts';
import { createJsonLines } from '../output/progress-lines.ts';
import { sayOnStderr } from '../output/say.ts';
import { stopSignal } from '../stop-signal.ts';
import type { CrawlFlags } from './flags.ts';

/** `gleaner crawl --dry-run`: what a crawl would find at each URL. It stores no page. */
export async function previewCommand(
  urls: readonly string[],
  { include = [], exclude = [], samePath, delay, json, ...flags }: CrawlFlags,
  config: Config,
): Promise<void> {
  const credentials = commandCredentials(flags, { urls, samePath }, config, sayOnStderr);
  const store = openPageStore(config.dataFolder);
  try {
    const pageWriter = createPageWriter({ store });
    const isBlocked = domainRulesOf(config)?.isBlocked;
    const crawler = createCrawler({
      store,
      pageWriter,
      config,
      isBlocked,
      credentials,
      delaySeconds: delay,
      readers: 1,
      onNotice: sayOnStderr,
    });
    try {
      const lines = createJsonLines(process.stdout);
      const signal = stopSignal();
      for (const url of urls) {
        const preview = await crawler.preview(url, { include, exclude, samePath: samePath ?? false, signal });
        if (json) lines.write({ kind: 'preview', ...preview });
        else process.stdout.write(printableText(describePreview(preview)));
      }
    } finally {
      await crawler.close();
    }
  } finally {
    await store.close();
  }
}

function describePreview(preview: CrawlPreview): string {
  const { url, firstPage, robots, crawlDelaySeconds, sitemapUrls, sitemaps, links, examples } = preview;
  const lines = [
    `${url}: ${firstPage}`,
    `  robots.txt: ${robots}${crawlDelaySeconds === null ? '' : `, ${crawlDelaySeconds} s between two requests`}`,
    `  URLs in sitemaps: ${sitemapUrls}`,
    ...sitemaps.map((gap) => `  Sitemap ${gap.url}: ${gap.why}`),
    `  links of this page: ${links}`,
    ...(examples.length === 0
      ? []
      : ['  it would visit, for instance:', ...examples.map((each) => `    ${each}`)]),
  ];
  return `${lines.join('\n')}\n`;
}
