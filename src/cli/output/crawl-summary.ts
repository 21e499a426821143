import type { CrawlSummary } from '../../crawl/crawl-tally.ts';
import { isUnresolved } from '../../crawl/fetch/fetch-outcome.ts';
import type { HostPause } from '../../crawl/host/host-crawl.ts';
import { refusedByRobots } from '../../crawl/visit.ts';
import { drawnByScripts } from '../../extract/extracted.ts';

const maxSitemaps = 10;

/** The results of a crawl as a table, with example URLs for each reason and advice on what remains. */
export function describeCrawl(summary: CrawlSummary): string {
  const { stored, unchanged, rendered, removed, before, moved, failed, examples, left, queued, stopped } =
    summary;
  const withExamples = (reason: string, total: number) => [
    row(`  ${reason}`, total),
    ...(examples[reason] ?? []).map((url) => `      ${url}\n`),
  ];
  const largestFirst = (reasons: Readonly<Record<string, number>>) =>
    Object.entries(reasons).sort(([, a], [, b]) => b - a);
  const robots = (examples[refusedByRobots] ?? []).map((url) => `      ${url}\n`);
  return [
    before > 0 ? `Went on with a run that was cut short after ${before} pages.\n` : '',
    row('stored', stored),
    row('unchanged', unchanged),
    ...(rendered > 0 ? [row('  of these drawn by a browser', rendered)] : []),
    row('removed', removed),
    row('refused by robots.txt', summary.refusedByRobots),
    ...robots,
    row('another page', sum(moved)),
    ...largestFirst(moved).flatMap(([how, count]) => withExamples(how, count)),
    row('failed', sum(failed)),
    ...largestFirst(failed).flatMap(([reason, count]) => withExamples(reason, count)),
    row('links not to be followed', summary.nofollowed),
    row('left for the next run', queued),
    ...left.map(
      ({ host, why, until }) =>
        `${host} was left before its pages were done: ${why}. It is not asked again before ${localTime(until)}; the same command goes on then.\n`,
    ),
    ...summary.sitemaps.slice(0, maxSitemaps).map(({ url, why }) => `Sitemap ${url}: ${why}.\n`),
    summary.sitemaps.length > maxSitemaps
      ? `... and ${summary.sitemaps.length - maxSitemaps} other sitemaps.\n`
      : '',
    failsForPort(failed) ? 'Other ports than 80, 443, 8080 and 8443 need --allow-private.\n' : '',
    failsForAddress(failed) ? 'Hosts of your own network need --allow-private.\n' : '',
    foundNoHost(summary)
      ? 'No host was found: check the address, and the network and DNS of this machine.\n'
      : '',
    failed[drawnByScripts] !== undefined
      ? 'Pages drawn by scripts have no text without a browser, and their site ships none beside them: they are not stored. A Chromium can draw most of them: GLEANER_RENDER, in docs/drawn-pages.md.\n'
      : '',
    stopped ? 'Stopped. The same command goes on from here.\n' : '',
    summary.atMaxPages
      ? `Ended at --max-pages, with ${queued} ${queued === 1 ? 'URL' : 'URLs'} left. The same command goes on with them, and a larger --max-pages reads more in one run:\n`
      : '',
  ].join('');
}

/** One line with the reason and the end of a pause. */
export function describePause({ host, why, seconds }: HostPause, now: number): string {
  return `${host} is left alone for ${Math.ceil(seconds)} s, until ${localTime(now + seconds * 1000)}: ${why}`;
}

function failsForPort(failed: Readonly<Record<string, number>>): boolean {
  return Object.keys(failed).some((reason) => reason.includes('not a web port'));
}

function failsForAddress(failed: Readonly<Record<string, number>>): boolean {
  return Object.keys(failed).some((reason) => reason.includes('not on the public internet'));
}

/** Whether a missing network may be the reason: a page of any host shows that the network works. */
function foundNoHost({ stored, unchanged, moved, failed, left }: CrawlSummary): boolean {
  const reasons = [...Object.keys(failed), ...left.map(({ why }) => why)];
  return stored + unchanged + sum(moved) === 0 && reasons.length > 0 && reasons.every(isUnresolved);
}

function row(name: string, count: number): string {
  return `${name.padEnd(42)}${String(count).padStart(8)}\n`;
}

function sum(reasons: Readonly<Record<string, number>>): number {
  return Object.values(reasons).reduce((total, count) => total + count, 0);
}

function localTime(time: number): string {
  return new Date(time).toLocaleString('sv');
}
