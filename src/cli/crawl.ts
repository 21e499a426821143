import { indexFolderOf } from '../app.ts';
import type { Config } from '../config.ts';
import { ServiceError } from '../contract/errors.ts';
import type { CrawlSummary } from '../crawl/crawl-tally.ts';
import { createCrawler } from '../crawler.ts';
import { createKeep } from '../engine/keep.ts';
import { createCompactor } from '../index/compactor.ts';
import { readManifest } from '../index/manifest.ts';
import { openPageStore } from '../store/lmdb-store.ts';
import { createLog } from './log.ts';
import { dropOwnDocs } from './own-docs.ts';
import { createProgress } from './progress.ts';
import { stopSignal } from './stop-signal.ts';

export interface CrawlFlags {
  readonly maxPages: number;
  readonly maxDepth?: number;
  readonly delay?: number;
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
    const crawler = await createCrawler({ store, keep, config, delaySeconds: delay });
    const progress = createProgress(process.stderr, maxPages);
    try {
      const summary = await crawler.crawl({
        seeds: urls,
        maxPages,
        ...(maxDepth !== undefined && { maxDepth }),
        onProgress: (state) => {
          progress.update(state);
          if ((state.stored + state.unchanged) % packCheckEvery === 0) void compactor.packWhenDue();
        },
        signal: stopSignal(),
      });
      progress.end();
      process.stdout.write(asText(summary));
      if (summary.stored > 0) await dropOwnDocs(store);
      await compactor.packWhenDue();
      if (summary.stopped) process.exitCode = 130;
      else if (summary.stored + summary.unchanged + summary.before === 0) process.exitCode = 1;
    } finally {
      progress.end();
      await crawler.close();
      await compactor.close();
    }
  } finally {
    await store.close();
  }
}

function asText(summary: CrawlSummary): string {
  const { stored, unchanged, removed, before, refusedByRobots, failed, queued, stopped } = summary;
  const failures = Object.entries(failed).sort(([, a], [, b]) => b - a);
  const lines: [string, number][] = [
    ['stored', stored],
    ['unchanged', unchanged],
    ['removed', removed],
    ['refused by robots.txt', refusedByRobots],
    ['failed', failures.reduce((sum, [, count]) => sum + count, 0)],
    ...failures.map(([reason, count]): [string, number] => [`  ${reason}`, count]),
    ['left for the next run', queued],
  ];
  const table = lines.map(([name, count]) => `${name.padEnd(28)}${String(count).padStart(8)}\n`).join('');
  const resumed = before > 0 ? `Went on with a run that was cut short after ${before} pages.\n` : '';
  return `${resumed}${table}${stopped ? 'Stopped. The same command goes on from here.\n' : ''}`;
}
