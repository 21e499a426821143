import { indexFolderOf } from '../app.ts';
import type { Config } from '../config.ts';
import { ServiceError } from '../contract/errors.ts';
import type { CrawlProgress } from '../crawl/crawl-tally.ts';
import { createSchedule } from '../crawl/schedule.ts';
import { createCrawler } from '../crawler.ts';
import { createKeep } from '../engine/keep.ts';
import { createCompactor } from '../index/compactor.ts';
import { readManifest } from '../index/manifest.ts';
import { openPageStore } from '../store/lmdb-store.ts';
import { describeCrawl, describePause } from './crawl-summary.ts';
import { createLog } from './log.ts';
import { dropOwnDocs } from './own-docs.ts';
import { createProgress } from './progress.ts';
import { describeDue, hostsOf } from './recrawl-hosts.ts';
import { stopSignal } from './stop-signal.ts';

export interface CrawlFlags {
  readonly maxPages: number;
  readonly maxDepth?: number;
  readonly delay?: number;
  readonly recrawl?: true;
}

/** So many pages lie between two looks at whether packing is due. */
const packCheckEvery = 500;

/** `gleaner crawl`: progress on stderr, the summary on stdout. */
export async function crawlCommand(
  urls: readonly string[],
  flags: CrawlFlags,
  config: Config,
): Promise<void> {
  const { maxPages, maxDepth, delay } = flags;
  if (urls.length === 0 && !flags.recrawl) {
    throw new ServiceError(
      'invalid_parameters',
      'crawl needs a URL to start at, or --recrawl for what is due',
    );
  }
  const hosts = flags.recrawl && hostsOf(urls);
  if (delay !== undefined && delay < 1 && !config.allowPrivate) {
    throw new ServiceError(
      'invalid_parameters',
      '--delay below 1 is for hosts of your own: it needs --allow-private',
    );
  }
  const store = openPageStore(config.dataFolder);
  try {
    // This process answers no searches: those that do follow the change log.
    const keep = createKeep({ store, catchUp: async () => {} });
    const indexFolder = indexFolderOf(config.dataFolder);
    const compactor = createCompactor({
      store,
      log: createLog(config),
      dataFolder: config.dataFolder,
      indexFolder,
      packedSeq: () => readManifest(indexFolder)?.seq ?? 0,
    });
    const crawler = createCrawler({ store, keep, config, delaySeconds: delay });
    const progress = createProgress(process.stderr, maxPages);
    try {
      const onProgress = (state: CrawlProgress): void => {
        progress.update(state);
        if ((state.stored + state.unchanged) % packCheckEvery === 0) void compactor.packWhenDue();
      };
      const shared = { maxPages, onProgress, signal: stopSignal() };
      const summary = flags.recrawl
        ? await crawler.recrawl({ ...shared, ...(hosts && { hosts }) })
        : await crawler.crawl({
            ...shared,
            seeds: urls,
            ...(maxDepth !== undefined && { maxDepth }),
            onPause: (pause) => progress.note(describePause(pause, Date.now())),
          });
      progress.end();
      process.stdout.write(describeCrawl(summary));
      if (flags.recrawl) {
        const schedule = createSchedule(store);
        process.stdout.write(describeDue([...schedule.due(Date.now())].length, schedule.next()));
      }
      if (summary.stored > 0) await dropOwnDocs(store);
      await compactor.packWhenDue();
      if (summary.stopped) process.exitCode = 130;
      else if (!flags.recrawl && summary.stored + summary.unchanged + summary.before === 0)
        process.exitCode = 1;
    } finally {
      progress.end();
      await crawler.close();
      await compactor.close();
    }
  } finally {
    await store.close();
  }
}
