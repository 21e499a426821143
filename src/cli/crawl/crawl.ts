import { createCrawler } from '../../app/crawler.ts';
import { domainRulesOf } from '../../app/live/domain-rules-file.ts';
import { openWriterApp } from '../../app/writer-app.ts';
import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { CrawlProgress, CrawlSummary } from '../../crawl/crawl-tally.ts';
import { createSchedule } from '../../crawl/schedule.ts';
import type { PageStore } from '../../store/page-store.ts';
import { thisCommand } from '../arguments/command-name.ts';
import { describeDue, hostsOfUrls } from '../arguments/recrawl-hosts.ts';
import { commandCredentials, hasCredentialFlags } from '../arguments/typed-credentials.ts';
import { finishWriting, stopping } from '../finish-writing.ts';
import { crawlSites, openDivisionOf } from '../opensearch/crawl-sites.ts';
import { describeCrawl } from '../output/crawl-summary.ts';
import { createDelayHint } from '../output/delay-hint.ts';
import { printableText } from '../output/printable.ts';
import { createCrawlProgress } from '../output/progress.ts';
import { createJsonLines } from '../output/progress-lines.ts';
import { sayOnStderr } from '../output/say.ts';
import { createSentenceLog } from '../output/sentence-log.ts';
import { whyNoPage } from '../output/why-failed.ts';
import { stopSignal } from '../stop-signal.ts';
import type { CrawlFlags } from './flags.ts';

/** `gleaner crawl`: progress on stderr, the summary on stdout. */
export async function crawlCommand(
  urls: readonly string[],
  flags: CrawlFlags,
  config: Config,
): Promise<void> {
  const { maxPages, delay, recrawl = false, json = false } = flags;
  checkFlags(urls, flags, config);
  if (flags.dryRun) {
    const { previewCommand } = await import('./preview.ts');
    return previewCommand(urls, flags, config);
  }
  const rules = domainRulesOf(config);
  const hosts = recrawl ? hostsOfUrls(urls) : undefined;
  const progress = createCrawlProgress({ json, maxPages, config });
  // The progress bar of a terminal would overwrite lines that do not go through it.
  const log = createSentenceLog(config, json || config.quiet ? undefined : progress.note);
  const credentials = commandCredentials(flags, { urls, samePath: flags.samePath }, config, (message) =>
    log.warn({}, message),
  );
  const onLongPacking = json || config.quiet ? undefined : sayOnStderr;
  const division = await openDivisionOf(config, log);
  const givePages = division?.givePages;
  const app = openWriterApp({ config, log, givePages, onWait: sayOnStderr, onLongPacking });
  try {
    const { store, pageWriter, packing } = app;
    const onSlow = (url: string, seconds: number) =>
      progress.note(`No complete answer for ${seconds} s: ${url}`);
    const crawler = createCrawler({
      store,
      pageWriter,
      config,
      isBlocked: rules?.isBlocked,
      credentials,
      delaySeconds: delay,
      onSlow,
      onNotice: progress.note,
    });
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
      const summary = recrawl
        ? await crawler.recrawl({ ...shared, ...(hosts && { hosts }) })
        : await crawlSites(crawler, division, {
            ...shared,
            ...crawlOptions(urls, flags),
            onPause: progress.pause,
          });
      progress.end();
      if (!summary) {
        sayOnStderr('No site is left for this machine: those of other machines were handed over to them.');
        return await packing.packRest(signal);
      }
      printSummary(summary, json);
      if (recrawl && !json) printDue(store);
      const hasPage = summary.stored + summary.unchanged + summary.before > 0;
      const failure = recrawl || hasPage ? undefined : whyNoPage(summary);
      await finishWriting(app, summary, { failure, signal });
    } finally {
      progress.end();
      await crawler.close();
    }
  } finally {
    await division?.close();
    await app.close();
  }
}

/** Throws a `ServiceError` (`invalid_parameters`) for options that do not go together. */
function checkFlags(urls: readonly string[], flags: CrawlFlags, config: Config): void {
  const { recrawl, delay, dryRun } = flags;
  const wrong = (message: string) => new ServiceError('invalid_parameters', message);
  if (urls.length === 0 && !recrawl && !config.cluster?.part)
    throw wrong('crawl needs a URL to start at, or --recrawl for what is due');
  if (recrawl && hasCredentialFlags(flags))
    throw wrong(
      '--recrawl takes its credentials from GLEANER_CREDENTIALS: leave --header and --cookie-file out',
    );
  if (dryRun && (recrawl || urls.length === 0)) throw wrong('--dry-run needs URLs, and no --recrawl');
  if (delay !== undefined && delay < 1 && !config.allowPrivate)
    throw wrong('--delay below 1 is for hosts of your own: it needs --allow-private');
}

function crawlOptions(seeds: readonly string[], flags: CrawlFlags) {
  const { maxDepth, include = [], exclude = [], samePath = false } = flags;
  return { seeds, include, exclude, samePath, ...(maxDepth !== undefined && { maxDepth }) };
}

/** Prints the results, and how to go on after a crawl that stopped early. */
function printSummary(summary: CrawlSummary, json: boolean): void {
  const hasMore = summary.stopped || summary.atMaxPages;
  if (json) {
    const goOn = hasMore ? { goOnWith: thisCommand() } : {};
    createJsonLines(process.stdout).write({ kind: 'summary', ...summary, ...goOn });
    return;
  }
  process.stdout.write(printableText(describeCrawl(summary)));
  if (hasMore) process.stdout.write(`  ${thisCommand()}\n`);
}

function printDue(store: PageStore): void {
  const schedule = createSchedule(store);
  process.stdout.write(describeDue([...schedule.due(Date.now())].length, schedule.next()));
}
