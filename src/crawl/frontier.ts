import { pageId } from '../store/page/page-id.ts';
import type { PageStore, Table, Writer } from '../store/page-store.ts';

/** A URL that waits for its visit. */
export interface Entry {
  readonly key: string;
  readonly url: string;
  /** Links away from a seed; a seed has 0. */
  readonly depth: number;
}

/** What a visit changes in the frontier. Changes are to be written in the order in which they were made. */
export interface FrontierChange {
  write(writer: Writer): void;
  /** To be called when the write is committed. */
  committed(): void;
}

export interface Finished {
  /** Canonical URLs to queue, in the order of the page, already in scope. */
  readonly links: readonly string[];
  /** Where the entry has moved to and was visited: not to be visited again in this round. */
  readonly movedTo: readonly string[];
  /** Whether the page counts against the limit of pages. */
  readonly counts: boolean;
}

export interface Frontier {
  /** The next entry, by depth and then by discovery; each once in a run. Undefined when none is left up to `maxDepth`. */
  take(maxDepth: number): Entry | undefined;
  /** Whether the URL was found in this round, whatever became of it. */
  isSeen(url: string): boolean;
  /** Whether the site itself names the URL, as far as is known: false for a seed that no page has linked to yet. */
  isLinked(url: string): boolean;
  /** URLs that are queued without a page that links to them, at `depth`. */
  add(urls: readonly string[], depth: number): FrontierChange;
  /** The entry is done. What it found can be taken at once; it is kept when the change is committed. */
  finish(entry: Entry, finished: Finished): FrontierChange;
  /** The seeds' hosts, and those that seeds have moved to. */
  readonly hosts: ReadonlySet<string>;
  /** URLs that seeds have moved to. */
  readonly homes: ReadonlySet<string>;
  /** A seed has moved to this URL, and its crawl with it. */
  addHome(url: string): FrontierChange;
  /** The run ends by itself; a run that does not say so is carried on by the next one, pages counted. */
  endRun(): FrontierChange;
  /** Pages that were counted before this run, by the one that it carries on. */
  readonly pagesBefore: number;
  /** In this round pages that were read a short time ago are passed over: the site is larger than the limit of a run. */
  readonly passesOverRecent: boolean;
  /** The run that is carried on had done all of this scope before it was cut short elsewhere. */
  readonly isOver: boolean;
  queued(): number;
}

export interface FrontierOptions {
  readonly store: PageStore;
  /** What keeps this crawl apart from others: the seeds' host. */
  readonly scope: string;
  readonly seeds: readonly string[];
  readonly maxDepth: number;
  /** The limit of this run; none when not given. */
  readonly maxPages?: number;
  /** From `runOf`: a scope that this run has ended before is not begun anew. */
  readonly run: number;
}

interface CrawlRecord {
  readonly round: number;
  /** Numbers entries in the order of their discovery. */
  readonly nextSeq: number;
  readonly queued: number;
  readonly pages: number;
  readonly running: boolean;
  /** The run that visited it last; it may go on at other scopes. */
  readonly run?: number;
  readonly hosts: readonly string[];
  readonly homes?: readonly string[];
  /** Seeds that the site has linked to. */
  readonly linkedSeeds?: readonly string[];
  /** See `Frontier.passesOverRecent`. */
  readonly passesOverRecent?: boolean;
}

interface Tables {
  /** `scope depth seq` -> URL. */
  readonly frontier: Table<string>;
  /** `scope page-id` -> the last round in which the URL was found. */
  readonly seen: Table<number>;
  readonly crawls: Table<CrawlRecord>;
}

const unbegun: CrawlRecord = { round: 0, nextSeq: 0, queued: 0, pages: 0, running: false, hosts: [] };

/** The number of the run over these scopes that was cut short, to carry it on; else that of a new one. */
export function runOf(store: PageStore, scopes: Iterable<string>): number {
  const crawls = store.table<CrawlRecord>('crawls');
  const records = [...scopes].flatMap((scope) => crawls.get(scope) ?? []);
  const cutShort = records.filter(({ running }) => running);
  if (cutShort.length > 0) return Math.max(...cutShort.map(({ run = 0 }) => run));
  return Math.max(0, ...records.map(({ run = 0 }) => run)) + 1;
}

/**
 * Opens the breadth-first queue of one scope. While entries are left from an earlier run, that round goes on and
 * seeds already found in it are not queued again; otherwise a new round starts from the seeds. Every step costs a
 * few look-ups, whatever the number of entries.
 */
export async function openFrontier({
  store,
  scope,
  seeds,
  maxDepth,
  maxPages = Number.POSITIVE_INFINITY,
  run,
}: FrontierOptions): Promise<Frontier> {
  const tables: Tables = {
    frontier: store.table('frontier'),
    seen: store.table('seen'),
    crawls: store.table('crawls'),
  };
  const record = await openRound(store, tables, { scope, maxDepth, maxPages, run });
  const { round } = record;
  let { nextSeq, queued } = record;
  const hosts = new Set(record.hosts).add(scope);
  const homes = new Set(record.homes);
  const unlinkedSeeds = new Set(seeds.filter((seed) => !record.linkedSeeds?.includes(seed)));
  let lastTaken = `${scope} `;
  // What was found but may not be committed yet. Found entries lie behind everything that was taken.
  const staged: Entry[] = [];
  const stagedSeen = new Set<string>();

  const seenKey = (url: string) => `${scope} ${pageId(url)}`;
  const isSeen = (url: string) => {
    const key = seenKey(url);
    return stagedSeen.has(key) || tables.seen.get(key) === round;
  };

  const update = (writer: Writer, change: (record: CrawlRecord) => Partial<CrawlRecord>): void => {
    const before = tables.crawls.get(scope) ?? record;
    writer.put(tables.crawls, scope, { ...before, ...change(before) });
  };

  const stage = (urls: readonly string[], depth: number): Entry[] => {
    const fresh: Entry[] = [];
    for (const url of urls) {
      if (depth > 0) unlinkedSeeds.delete(url);
      if (isSeen(url)) continue;
      stagedSeen.add(seenKey(url));
      const entry = { key: entryKey(scope, depth, nextSeq++), url, depth };
      fresh.push(entry);
      staged.push(entry);
    }
    queued += fresh.length;
    return fresh;
  };

  const linkedSeeds = () => seeds.filter((seed) => !unlinkedSeeds.has(seed));

  const writeFound = (writer: Writer, entries: readonly Entry[]): void => {
    for (const { key, url } of entries) {
      writer.put(tables.frontier, key, url);
      writer.put(tables.seen, seenKey(url), round);
    }
  };

  /** Commits come in order, so what leaves the stage is what entered it first. */
  const unstage = (entries: readonly Entry[], movedTo: readonly string[]): void => {
    staged.splice(0, entries.length);
    for (const url of [...entries.map((entry) => entry.url), ...movedTo]) stagedSeen.delete(seenKey(url));
  };

  const nextCommitted = (): Entry | undefined => {
    const [next] = tables.frontier.entries({ from: `${lastTaken}0`, to: `${scope}!`, limit: 1 });
    return next && { key: next[0], url: next[1], depth: depthOf(next[0]) };
  };

  const frontier: Frontier = {
    hosts,
    homes,
    pagesBefore: record.pages,
    passesOverRecent: record.passesOverRecent ?? false,
    isOver: false,
    queued: () => queued,
    isSeen,
    isLinked: (url) => !unlinkedSeeds.has(url),
    take(limit) {
      const committed = nextCommitted();
      const uncommitted = staged.find(({ key }) => key > lastTaken);
      const entry =
        committed === undefined || (uncommitted !== undefined && uncommitted.key < committed.key)
          ? uncommitted
          : committed;
      if (entry === undefined || entry.depth > limit) return undefined;
      lastTaken = entry.key;
      return entry;
    },
    add(urls, depth) {
      const entries = stage(urls, depth);
      const [seqAfter, linked] = [nextSeq, linkedSeeds()];
      return {
        write(writer) {
          writeFound(writer, entries);
          update(writer, (before) => ({
            nextSeq: seqAfter,
            queued: before.queued + entries.length,
            linkedSeeds: linked,
          }));
        },
        committed: () => unstage(entries, []),
      };
    },
    finish(entry, { links, movedTo, counts }) {
      for (const url of movedTo) stagedSeen.add(seenKey(url));
      const entries = stage(links, entry.depth + 1);
      const [seqAfter, linked] = [nextSeq, linkedSeeds()];
      queued -= 1;
      return {
        write(writer) {
          writeFound(writer, entries);
          for (const url of movedTo) writer.put(tables.seen, seenKey(url), round);
          writer.delete(tables.frontier, entry.key);
          update(writer, (before) => ({
            nextSeq: seqAfter,
            queued: before.queued + entries.length - 1,
            linkedSeeds: linked,
            pages: before.pages + (counts ? 1 : 0),
          }));
        },
        committed: () => unstage(entries, movedTo),
      };
    },
    addHome(url) {
      const { host } = new URL(url);
      hosts.add(host);
      homes.add(url);
      const write = (writer: Writer) =>
        update(writer, (before) => ({
          hosts: [...new Set(before.hosts).add(host)],
          homes: [...new Set(before.homes).add(url)],
        }));
      return { write, committed: () => {} };
    },
    endRun: () => ({
      write: (writer) => update(writer, () => ({ running: false })),
      committed: () => {},
    }),
  };
  const seeded = frontier.add(seeds, 0);
  await store.write(seeded.write);
  seeded.committed();
  return { ...frontier, isOver: !record.running && queued === 0 };
}

/** Carries a round on, or starts the next one when nothing is queued that this run could visit. */
async function openRound(
  store: PageStore,
  tables: Tables,
  { scope, maxDepth, maxPages, run }: Required<Omit<FrontierOptions, 'store' | 'seeds'>>,
): Promise<CrawlRecord> {
  const before = tables.crawls.get(scope) ?? unbegun;
  const [first] = tables.frontier.entries({ from: `${scope} `, to: `${scope}!`, limit: 1 });
  const goesOn = first !== undefined && depthOf(first[0]) <= maxDepth;
  const isSameRun = before.run === run;
  if (isSameRun && !goesOn && !before.running) return before;
  const record: CrawlRecord = goesOn
    ? { ...before, running: true, run, pages: before.running || isSameRun ? before.pages : 0 }
    : {
        ...unbegun,
        round: before.round + 1,
        running: true,
        run,
        // Else a run that begins a round would spend its limit on the pages that the last runs have just read.
        passesOverRecent: before.nextSeq > maxPages,
      };
  await store.write((writer) => {
    // Entries that lie deeper than this run may go; finding them again is the new round's business.
    if (!goesOn) {
      for (const key of [...tables.frontier.entries({ from: `${scope} `, to: `${scope}!` })].map(
        (entry) => entry[0],
      )) {
        writer.delete(tables.frontier, key);
      }
    }
    writer.put(tables.crawls, scope, record);
  });
  return record;
}

const depthDigits = 5;
const seqDigits = 10;

function entryKey(scope: string, depth: number, seq: number): string {
  return `${scope} ${String(depth).padStart(depthDigits, '0')}${String(seq).padStart(seqDigits, '0')}`;
}

function depthOf(key: string): number {
  return Number(key.slice(-depthDigits - seqDigits, -seqDigits));
}
