import type { Config } from '../config.ts';
import { readLedger } from '../external/ledger.ts';
import { ledgerFileOf } from '../providers.ts';
import { openFilledStore } from './data-folder.ts';
import { providerStatus } from './provider-status.ts';

/** `gleaner status`: which other services are on, and what the data folder holds, site by site, largest first. */
export async function status(config: Config): Promise<void> {
  const ledger = readLedger(ledgerFileOf(config.dataFolder));
  process.stdout.write(`${providerStatus(config, ledger, Date.now())}\n`);
  const store = openFilledStore(config);
  try {
    const sites = new Map<string, { pages: number; lastCrawl: number }>();
    for (const { url, crawledAt } of store.heads()) {
      const { host } = new URL(url);
      const site = sites.get(host) ?? { pages: 0, lastCrawl: 0 };
      sites.set(host, { pages: site.pages + 1, lastCrawl: Math.max(site.lastCrawl, crawledAt) });
    }
    const rows = [...sites].sort(([, a], [, b]) => b.pages - a.pages);
    const width = Math.max(4, ...rows.map(([host]) => host.length));
    const line = (host: string, pages: string, crawled: string) =>
      `${host.padEnd(width)}  ${pages.padStart(8)}  ${crawled}\n`;
    process.stdout.write(`Data folder: ${config.dataFolder}\nPages: ${store.pageCount()}\n`);
    if (rows.length === 0) {
      process.stdout.write('Fill it with: gleaner crawl https://example.com/\n');
      return;
    }
    process.stdout.write(`\n${line('site', 'pages', 'last crawl')}`);
    for (const [host, { pages, lastCrawl }] of rows) {
      process.stdout.write(line(host, String(pages), new Date(lastCrawl).toISOString()));
    }
  } finally {
    await store.close();
  }
}
