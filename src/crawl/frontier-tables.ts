import type { PageStore, Table } from '../store/page-store.ts';

export interface CrawlRecord {
  readonly round: number;
  /** Numbers entries in the order of their discovery. */
  readonly nextSeq: number;
  readonly queued: number;
  readonly pages: number;
  readonly running: boolean;
  /** The run that visited this scope last; it may still be busy with other scopes. */
  readonly run?: number;
  readonly hosts: readonly string[];
  readonly homes?: readonly string[];
  /** Seeds that the site links to. */
  readonly linkedSeeds?: readonly string[];
  /** See `Frontier.passesOverRecent`. */
  readonly passesOverRecent?: boolean;
  /** Numbers the entries that `forget-pages.ts` has queued again. */
  readonly requeued?: number;
}

export interface FrontierTables {
  /** `scope depth seq` -> URL. */
  readonly frontier: Table<string>;
  /** `scope page-id` -> the last round in which the URL was found. */
  readonly seen: Table<number>;
  readonly crawls: Table<CrawlRecord>;
}

export const unbegun: CrawlRecord = { round: 0, nextSeq: 0, queued: 0, pages: 0, running: false, hosts: [] };

export function frontierTables(store: PageStore): FrontierTables {
  return { frontier: store.table('frontier'), seen: store.table('seen'), crawls: store.table('crawls') };
}

/** How many URLs wait in crawls that ended before they had visited all: by the host that they began at (`URL.host`). */
export function unfinishedCrawls(store: PageStore): Map<string, number> {
  const records = [...frontierTables(store).crawls.entries()];
  return new Map(records.flatMap(([scope, { queued }]) => (queued > 0 ? [[scope, queued]] : [])));
}

const depthDigits = 5;
const seqDigits = 10;

/** The range of a scope's entries in the table of the frontier. */
export function entriesOf(scope: string): { from: string; to: string } {
  return { from: `${scope} `, to: `${scope}!` };
}

export function entryKey(scope: string, depth: number, seq: number): string {
  return `${scope} ${String(depth).padStart(depthDigits, '0')}${String(seq).padStart(seqDigits, '0')}`;
}

export function depthOf(key: string): number {
  return Number(key.slice(-depthDigits - seqDigits, -seqDigits));
}
