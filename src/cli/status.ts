import { folderBytesOnDisk, surveyHosts } from '../app/people/survey.ts';
import { providerHealthFile } from '../app/providers.ts';
import type { ClusterConfig } from '../config/cluster-settings.ts';
import type { Config } from '../config/config.ts';
import { ServiceError } from '../contract/errors.ts';
import { unfinishedCrawls } from '../crawl/frontier-tables.ts';
import { readProviderHealth } from '../external/provider-health.ts';
import type { PageStore } from '../store/page-store.ts';
import { probe } from '../store/store-health.ts';
import { commandName } from './arguments/command-name.ts';
import { openFilledStore } from './data-folder.ts';
import { printableJson, printableLine, printableText } from './output/printable.ts';
import { providerStatus, serviceStates } from './output/provider-status.ts';
import { reportError } from './output/report-error.ts';

/** The pages of one host. */
interface SiteLine {
  /** As in `URL.host`; empty for pages of files. */
  readonly host: string;
  readonly pages: number;
  /** The number of these pages that are copies of another one; searches do not return them. */
  readonly copies: number;
  /** Times in ISO 8601. */
  readonly lastCrawl: string;
  /** The next planned visit of any of the pages; null without one. */
  readonly nextDue: string | null;
}

export interface StatusFlags {
  readonly json?: true;
}

/** `gleaner status`: the content of the data folder by site, largest first, then the external providers. */
export async function status(config: Config, { json }: StatusFlags = {}): Promise<void> {
  const { dataFolder } = config;
  const health = readProviderHealth(providerHealthFile(dataFolder));
  const services = (): void => {
    if (!json) process.stdout.write(`\n${printableText(providerStatus(config, health, Date.now()))}`);
  };
  let store: PageStore;
  try {
    store = openFilledStore(config);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The providers can be listed without a store.
    reportError(error);
    services();
    return;
  }
  try {
    const sites = await sitesOf(store);
    const copies = sites.reduce((sum, site) => sum + site.copies, 0);
    const noRoom = probe(dataFolder)?.message;
    const summary = {
      dataFolder,
      pages: store.pageCount(),
      copies,
      diskBytes: folderBytesOnDisk(dataFolder),
      writable: noRoom === undefined,
    };
    const index = config.cluster && (await clusterSummary(config.cluster, store));
    const unfinished = [...unfinishedCrawls(store)].map(([host, queued]) => ({ host, queued }));
    if (json) {
      const states = serviceStates(config, health);
      process.stdout.write(
        `${printableJson({ ...summary, ...(index && { index }), services: states, sites, unfinishedCrawls: unfinished }, 2)}\n`,
      );
      return;
    }
    const { pages, diskBytes } = summary;
    process.stdout.write(`Pages: ${pages}\nCopies of other pages: ${copies}\n`);
    process.stdout.write(`Disk: ${megabytes(diskBytes)}\nData folder: ${dataFolder}\n`);
    if (index) process.stdout.write(`Index: ${describeCluster(index)}\n`);
    if (noRoom !== undefined) process.stdout.write(`Writing: fails: ${noRoom}\n`);
    process.stdout.write(
      sites.length === 0 ? `Fill it with: ${commandName()} crawl https://example.com/\n` : table(sites),
    );
    process.stdout.write(printableText(describeUnfinished(unfinished)));
    services();
  } finally {
    await store.close();
  }
}

/** The index in a cluster, or why nothing is known of it. */
async function clusterSummary(cluster: ClusterConfig, store: PageStore) {
  const { reportOf } = await import('./opensearch/index-command.ts');
  try {
    return await reportOf(cluster, store);
  } catch (error) {
    if (error instanceof ServiceError) return { problem: error.message };
    throw error;
  }
}

function describeCluster(index: Awaited<ReturnType<typeof clusterSummary>>): string {
  if ('problem' in index) return printableLine(index.problem);
  const { health, current } = index;
  if (!current) return `in a cluster (${printableLine(health)}), empty`;
  const { name, pages, lag, failed } = current;
  return `${name} in a cluster (${printableLine(health)}), ${pages} pages, ${lag} changes behind, ${Object.keys(failed).length} pages failed`;
}

async function sitesOf(store: PageStore): Promise<SiteLine[]> {
  const hosts = await surveyHosts(store);
  return hosts.flatMap(({ host, pages, copies, lastVisitAt, nextVisitAt }) => {
    if (lastVisitAt === undefined) return [];
    const nextDue = nextVisitAt === undefined ? null : iso(nextVisitAt);
    return [{ host, pages, copies, lastCrawl: iso(lastVisitAt), nextDue }];
  });
}

function table(sites: readonly SiteLine[]): string {
  const name = (host: string): string => (host === '' ? '(files)' : host);
  const width = Math.max(7, ...sites.map(({ host }) => host.length));
  const line = (host: string, pages: string, crawled: string, due: string): string =>
    `${host.padEnd(width)}  ${pages.padStart(8)}  ${crawled.padEnd(24)}  ${due}\n`;
  const rows = sites.map(({ host, pages, lastCrawl, nextDue }) =>
    line(name(host), String(pages), lastCrawl, nextDue ?? 'not planned'),
  );
  return `\n${line('site', 'pages', 'last crawl', 'next due')}${rows.join('')}`;
}

/** Crawls that ended before they had visited every URL that they had queued. */
function describeUnfinished(crawls: readonly { readonly host: string; readonly queued: number }[]): string {
  if (crawls.length === 0) return '';
  const lines = crawls.map(
    ({ host, queued }) => `  ${host}  ${queued} ${queued === 1 ? 'URL' : 'URLs'} queued\n`,
  );
  return `\nUnfinished crawls: "${commandName()} crawl" with the same URL goes on, or is at work now\n${lines.join('')}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
