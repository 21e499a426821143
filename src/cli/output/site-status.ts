import type { Config } from '../../config/config.ts';
import { ServiceError } from '../../contract/errors.ts';
import { createHostRests } from '../../crawl/fetch/host-rests.ts';
import { createOutcomeStore, type UrlOutcome } from '../../crawl/outcomes.ts';
import { createSchedule } from '../../crawl/schedule.ts';
import { type SiteRecord, sitesTable } from '../../store/host/site-record.ts';
import type { PageStore } from '../../store/page-store.ts';
import { openFilledStore } from '../data-folder.ts';
import { printableText } from './printable.ts';

const maxUrls = 5;

/** `gleaner status --site HOST`: the state of one site, and why some of its URLs are not in the index. */
export async function siteStatus(site: string, config: Config): Promise<void> {
  const store = openFilledStore(config);
  try {
    process.stdout.write(printableText(describeSite(store, hostOf(site), Date.now())));
  } finally {
    await store.close();
  }
}

/** Accepts `docs.example.com`, `127.0.0.1:8080` and URLs. Throws a `ServiceError` (`invalid_parameters`). */
function hostOf(site: string): string {
  const text = /^https?:\/\//i.test(site) ? site : `http://${site}`;
  if (URL.canParse(text)) return new URL(text).host;
  throw new ServiceError('invalid_parameters', '--site takes a host, such as docs.example.com');
}

function describeSite(store: PageStore, host: string, now: number): string {
  const pages = [...store.heads()].filter(({ url }) => new URL(url).host === host);
  const outcomes = [...createOutcomeStore(store).ofHost(host)];
  if (pages.length === 0 && outcomes.length === 0) {
    throw new ServiceError('not_found', `nothing is known of ${host}: "gleaner status" lists the sites`);
  }
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
  const lastCrawl = pages.reduce((last, { crawledAt }) => Math.max(last, crawledAt), 0);
  const lines = [
    ['site', host],
    ['pages', String(pages.length)],
    ['last crawl', lastCrawl === 0 ? 'never' : new Date(lastCrawl).toISOString()],
    ['llms.txt', record === undefined ? 'not looked for' : record.hasLlmsTxt ? 'yes' : 'no'],
    ['next visit due', due === undefined ? 'not planned' : new Date(due.dueAt).toISOString()],
    ...(restUntil > now ? [['left alone until', new Date(restUntil).toISOString()]] : []),
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
