import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contract/errors.ts';
import { createHostRests } from '../../crawl/fetch/host-rests.ts';
import { unfinishedCrawls } from '../../crawl/frontier-tables.ts';
import { createOutcomeStore, type UrlOutcome } from '../../crawl/outcomes.ts';
import { createSchedule } from '../../crawl/schedule.ts';
import { type VisitRecord, visitsTable } from '../../crawl/visit-record.ts';
import { type SiteRecord, sitesTable } from '../../store/host/site-record.ts';
import type { PageStore } from '../../store/page-store.ts';
import { type PageSelection, parsePageSelection } from '../arguments/page-selection.ts';
import { openFilledStore } from '../data-folder.ts';
import { printableText } from './printable.ts';

const maxUrls = 5;
const maxHosts = 20;

/**
 * `gleaner status --site SITE`: the state of a site, host by host, and why some of its URLs are not in the index. Takes
 * what `gleaner remove` takes, and prints how many pages that selects.
 */
export async function siteStatus(site: string, config: Config): Promise<void> {
  const store = openFilledStore(config);
  try {
    process.stdout.write(printableText(describeSelection(store, parsePageSelection(site), Date.now())));
  } finally {
    await store.close();
  }
}

interface HostPages {
  pages: number;
  /** Pages that a browser drew. */
  rendered: number;
  selected: number;
  lastCrawl: number;
}

function describeSelection(store: PageStore, selection: PageSelection, now: number): string {
  const queued = unfinishedCrawls(store);
  const hosts = hostsOf(store, selection, queued);
  if (hosts.size === 0) {
    throw new ServiceError(
      'not_found',
      `nothing is known of ${selection.name}: "gleaner status" lists the sites`,
    );
  }
  const all = [...hosts.values()];
  const selected = all.reduce((sum, host) => sum + host.selected, 0);
  const isOneHost = hosts.size === 1 && all[0]?.selected === all[0]?.pages && selection.kind === 'site';
  const summary = isOneHost ? '' : `${selection.name}: ${selected} ${selected === 1 ? 'page' : 'pages'}\n\n`;
  const blocks = [...hosts]
    .sort(([, a], [, b]) => b.pages - a.pages)
    .slice(0, maxHosts)
    .map(([host, pages]) => describeHost(store, host, { ...pages, queued: queued.get(host) ?? 0 }, now));
  const more = hosts.size > maxHosts ? `\nand ${hosts.size - maxHosts} more hosts\n` : '';
  return summary + blocks.join('\n') + more;
}

/** The hosts of the selection that have pages, outcomes or an unfinished crawl. */
function hostsOf(
  store: PageStore,
  { has, hasHost }: PageSelection,
  queued: ReadonlyMap<string, number>,
): Map<string, HostPages> {
  const hosts = new Map<string, HostPages>();
  const of = (host: string): HostPages => {
    const known = hosts.get(host) ?? { pages: 0, rendered: 0, selected: 0, lastCrawl: 0 };
    hosts.set(host, known);
    return known;
  };
  const visits = store.table<VisitRecord>(visitsTable);
  for (const { id, url, crawledAt } of store.heads()) {
    if (!URL.canParse(url) || !hasHost(new URL(url).host)) continue;
    const host = of(new URL(url).host);
    host.pages += 1;
    host.rendered += visits.get(id)?.rendered ? 1 : 0;
    host.selected += has(url) ? 1 : 0;
    host.lastCrawl = Math.max(host.lastCrawl, crawledAt);
  }
  for (const host of [...createOutcomeStore(store).hosts(), ...queued.keys()]) if (hasHost(host)) of(host);
  return hosts;
}

function describeHost(
  store: PageStore,
  host: string,
  { pages, rendered, lastCrawl, queued }: HostPages & { readonly queued: number },
  now: number,
): string {
  const outcomes = [...createOutcomeStore(store).ofHost(host)];
  const record = store.table<SiteRecord>(sitesTable).get(host);
  const rest = createHostRests(store).of(host);
  const restUntil = Math.max(rest?.askedUntil ?? 0, rest?.asleepUntil ?? 0);
  const byReason = new Map<string, UrlOutcome[]>();
  for (const outcome of outcomes) {
    const alike = byReason.get(outcome.outcome);
    if (alike === undefined) byReason.set(outcome.outcome, [outcome]);
    else alike.push(outcome);
  }
  const due = createSchedule(store).next(host);
  const lines = [
    ['site', host === '' ? '(files)' : host],
    ['pages', String(pages)],
    ...(rendered > 0 ? [['drawn by a browser', String(rendered)]] : []),
    ['last crawl', lastCrawl === 0 ? 'never' : new Date(lastCrawl).toISOString()],
    ['llms.txt', record === undefined ? 'not looked for' : record.hasLlmsTxt ? 'yes' : 'no'],
    ['next visit due', due === undefined ? 'not planned' : new Date(due.dueAt).toISOString()],
    ...(restUntil > now ? [['left alone until', new Date(restUntil).toISOString()]] : []),
    ...(queued > 0 ? [['URLs queued', `${queued} (the last crawl has not visited them yet)`]] : []),
    ['URLs without a page', String(outcomes.length)],
  ];
  const reasons = [...byReason]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, ofReason]) => {
      const newest = ofReason.sort((a, b) => b.at - a.at).slice(0, maxUrls);
      const more = ofReason.length > maxUrls ? `      and ${ofReason.length - maxUrls} more\n` : '';
      return `  ${reason.padEnd(40)}${String(ofReason.length).padStart(8)}\n${newest.map(({ url }) => `      ${url}\n`).join('')}${more}`;
    });
  return lines.map(([name = '', value]) => `${name.padEnd(20)} ${value}\n`).join('') + reasons.join('');
}
