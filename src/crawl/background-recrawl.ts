import type { Sleep } from '../async/sleep.ts';
import { sleep as realSleep } from '../async/sleep.ts';
import type { Log } from '../runtime.ts';
import type { CrawlSummary } from './crawl-tally.ts';
import type { RecrawlOptions } from './recrawl.ts';

type Recrawl = (
  options: Pick<RecrawlOptions, 'maxPages' | 'maxConcurrentHosts' | 'pauseSeconds' | 'signal'>,
) => Promise<CrawlSummary>;

export interface BackgroundRecrawlOptions {
  readonly recrawl: Recrawl;
  readonly log: Log;
  /** Ends the recrawl; the page under way is dropped. */
  readonly signal: AbortSignal;
  /** Between two looks for due pages. */
  readonly pollSeconds?: number;
  readonly sleep?: Sleep;
}

const defaultPollSeconds = 60;
/** Between two pages, whatever their hosts. */
const pauseSeconds = 1;
/** Pages per look, so that the list of them stays short. */
const maxPages = 1000;

/**
 * Visits due pages for as long as the process lives, one at a time with a pause after each, so that a service is hardly
 * slower. Resolves when the signal is aborted; never rejects: errors are logged and the work is tried again.
 */
export async function recrawlInBackground(options: BackgroundRecrawlOptions): Promise<void> {
  const { recrawl, log, signal, pollSeconds = defaultPollSeconds, sleep = realSleep } = options;
  while (!signal.aborted) {
    try {
      const { stored, unchanged, removed, failed, storeFailure } = await recrawl({
        maxPages,
        maxConcurrentHosts: 1,
        pauseSeconds,
        signal,
      });
      if (stored + unchanged + removed > 0) {
        log.info({ stored, unchanged, removed, failed }, 'pages that were due have been visited again');
      }
      if (storeFailure)
        log.warn({ why: storeFailure.message }, 'pages that are due could not be stored; tried again soon');
    } catch (error) {
      if (!signal.aborted)
        log.warn({ err: error }, 'pages that are due could not be visited; tried again soon');
    }
    await sleep(pollSeconds * 1000, signal).catch(() => {});
  }
}
