import { createCrawler } from '../app/crawler.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../contract/errors.ts';
import type { CrawlProgress } from '../crawl/crawl-tally.ts';
import { createSchedule } from '../crawl/schedule.ts';
import { openPageStore } from '../store/lmdb-store.ts';
import { createPageWriter } from '../store/page-writer.ts';
import { patientWriter } from '../store/writer/patient-writer.ts';
import { describeCrawl } from './output/crawl-summary.ts';
import { createDelayHint } from './output/delay-hint.ts';
import { printableText } from './output/printable.ts';
import { createCrawlProgress } from './output/progress.ts';
import { createJsonLines } from './output/progress-lines.ts';
import { createSentenceLog } from './output/sentence-log.ts';
import { endWithStoreFailure, sayOnStderr } from './output/store-failure.ts';
import { dropOwnDocs } from './own-docs.ts';
import { openPacking } from './packing.ts';
import { describeDue, hostsOf } from './recrawl-hosts.ts';
import { stopSignal } from './stop-signal.ts';

export interface CrawlFlags {
  readonly maxPages: number;
  readonly maxDepth?: number;
  readonly delay?: number;
  readonly recrawl?: true;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly samePath?: true;
  readonly json?: true;
}

const stopping = 'Stopping: what was read is being stored. Once more ends at once; nothing stored is lost.';

/** What was typed, for a shell. */
function thisCommand(): string {
  const quoted = process.argv
    .slice(2)
    .map((word) => (/^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`));
  return ['gleaner', ...quoted].join(' ');
}

/** `gleaner crawl`: progress on stderr, the summary on stdout. */
export async function crawlCommand(
  urls: readonly string[],
  flags: CrawlFlags,
  config: Config,
): Promise<void> {
  const { maxPages, maxDepth, delay, include = [], exclude = [], samePath = false, json } = flags;
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
  const store = patientWriter(openPageStore(config.dataFolder), sayOnStderr);
  try {
    // This process answers no searches: those that do follow the change log.
    const pageWriter = createPageWriter({ store });
    const progress = createCrawlProgress({ json: json === true, maxPages, config });
    // A line among the progress of a terminal would be drawn over.
    const log = createSentenceLog(config, json || config.quiet ? undefined : progress.note);
    const packing = openPacking({ store, config, log, explains: !json });
    const onSlow = (url: string, seconds: number) =>
      progress.note(`No complete answer for ${seconds} s: ${url}`);
    const crawler = createCrawler({ store, pageWriter, config, delaySeconds: delay, onSlow });
    try {
      const hintAtDelay = createDelayHint({ urls, config, delay, note: progress.note });
      const onProgress = (state: CrawlProgress): void => {
        progress.update(state);
        log.info({}, `${state.outcome}: ${state.url}`);
        hintAtDelay(state.secondsLeft);
        packing.pagesDone(state.stored + state.unchanged);
      };
      const signal = stopSignal();
      signal.addEventListener('abort', () => progress.note(stopping));
      const shared = { maxPages, onProgress, signal };
      const summary = flags.recrawl
        ? await crawler.recrawl({ ...shared, ...(hosts && { hosts }) })
        : await crawler.crawl({
            ...shared,
            seeds: urls,
            include,
            exclude,
            samePath,
            ...(maxDepth !== undefined && { maxDepth }),
            onPause: progress.pause,
          });
      progress.end();
      const hasMore = summary.stopped || summary.atMaxPages;
      const goOn = hasMore ? { goOnWith: thisCommand() } : {};
      if (json) createJsonLines(process.stdout).write({ kind: 'summary', ...summary, ...goOn });
      else {
        process.stdout.write(printableText(describeCrawl(summary)));
        if (hasMore) process.stdout.write(`  ${thisCommand()}\n`);
      }
      if (flags.recrawl && !json) {
        const schedule = createSchedule(store);
        process.stdout.write(describeDue([...schedule.due(Date.now())].length, schedule.next()));
      }
      if (summary.storeFailure) {
        endWithStoreFailure(summary.storeFailure);
        return;
      }
      if (summary.stored > 0) await dropOwnDocs(store);
      if (!summary.stopped) await pageWriter.settled();
      if (summary.stopped) process.exitCode = 130;
      else if (!flags.recrawl && summary.stored + summary.unchanged + summary.before === 0)
        process.exitCode = 1;
      await packing.packRest(signal);
    } finally {
      progress.end();
      await crawler.close();
      await packing.close();
    }
  } finally {
    await store.close();
  }
}
