import { pageId } from '../store/page/page-id.ts';
import type { PageStore, Writer } from '../store/page-store.ts';
import {
  type CrawlRecord,
  depthOf,
  entriesOf,
  entryKey,
  type FrontierTables,
  frontierTables,
  unbegun,
} from './frontier-tables.ts';

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

export interface FinishedEntry {
  /** Canonical URLs to queue, in the order of the page, already in scope. */
  readonly links: readonly string[];
  /** URLs that the entry has moved to and that were visited there; they are not visited again in this round. */
  readonly movedTo: readonly string[];
  /** Whether the page counts against the limit of pages. */
  readonly counts: boolean;
}

export interface Frontier {
  /** The next entry, by depth and then by discovery; each once in a run. Undefined when none is left up to `maxDepth`. */
  take(maxDepth: number): Entry | undefined;
  /** Whether the URL was queued or visited in this round. */
  isSeen(url: string): boolean;
  /** Whether the site links to the URL, as far as is known: false for a seed without a link to it so far. */
  isLinked(url: string): boolean;
  /** Queues URLs that no page links to, at `depth`. */
  add(urls: readonly string[], depth: number): FrontierChange;
  /** The entry is done. Its links can be taken at once; they are durable when the change is committed. */
  finish(entry: Entry, finished: FinishedEntry): FrontierChange;
  /** The seeds' hosts, and those that seeds have moved to. */
  readonly hosts: ReadonlySet<string>;
  /** URLs that seeds have moved to. */
  readonly homes: ReadonlySet<string>;
  /** A seed has moved to this URL, and its crawl with it. */
  addHome(url: string): FrontierChange;
  /** Ends the run in order. The next run carries on a run that was not ended, and its count of pages. */
  endRun(): FrontierChange;
  /** Pages that the run before counted, if this run carries it on. */
  readonly pagesBefore: number;
  /** Whether this round skips pages that were read a short time ago, because the site is larger than the limit of a run. */
  readonly passesOverRecent: boolean;
  /** The run that is carried on had finished this scope before it was cut short in another one. */
  readonly isOver: boolean;
  queued(): number;
}

export interface FrontierOptions {
  readonly store: PageStore;
  /** The key of this crawl in the store: the seeds' host. */
  readonly scope: string;
  readonly seeds: readonly string[];
  readonly maxDepth: number;
  /** The limit of this run; none when not given. */
  readonly maxPages?: number;
  /** From `runOf`: a scope that this run has finished before does not start again. */
  readonly run: number;
}

/** The number of the run over these scopes that was cut short, so that it is carried on; otherwise a new number. */
export function runOf(store: PageStore, scopes: Iterable<string>): number {
  const crawls = store.table<CrawlRecord>('crawls');
  const records = [...scopes].flatMap((scope) => crawls.get(scope) ?? []);
  const cutShort = records.filter(({ running }) => running);
  if (cutShort.length > 0) return Math.max(...cutShort.map(({ run = 0 }) => run));
  return Math.max(0, ...records.map(({ run = 0 }) => run)) + 1;
}

/**
 * Opens the breadth-first queue of one scope. While entries of an earlier run remain, its round goes on, and seeds that
 * were queued in it are not queued again; otherwise a new round starts from the seeds. Every step costs a few
 * look-ups, independent of the number of entries.
 */
export async function openFrontier({
  store,
  scope,
  seeds,
  maxDepth,
  maxPages = Number.POSITIVE_INFINITY,
  run,
}: FrontierOptions): Promise<Frontier> {
  const tables = frontierTables(store);
  const record = await openRound(store, tables, { scope, maxDepth, maxPages, run });
  const { round } = record;
  let { nextSeq, queued } = record;
  const hosts = new Set(record.hosts).add(scope);
  const homes = new Set(record.homes);
  const unlinkedSeeds = new Set(seeds.filter((seed) => !record.linkedSeeds?.includes(seed)));
  let lastTaken = `${scope} `;
  // Entries that may not be committed yet. They sort behind every entry that was taken.
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

  /** Commits come in order, so the oldest staged entries leave first. */
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

/** Carries a round on, or starts the next one when no entry is queued that this run may visit. */
async function openRound(
  store: PageStore,
  tables: FrontierTables,
  { scope, maxDepth, maxPages, run }: Required<Omit<FrontierOptions, 'store' | 'seeds'>>,
): Promise<CrawlRecord> {
  const before = tables.crawls.get(scope) ?? unbegun;
  const [first] = tables.frontier.entries({ ...entriesOf(scope), limit: 1 });
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
        // Otherwise a run would spend its limit on pages that the last runs have just read.
        passesOverRecent: before.nextSeq > maxPages,
      };
  await store.write((writer) => {
    // The remaining entries are deeper than this run may go; the new round finds them again.
    if (!goesOn) {
      for (const [key] of [...tables.frontier.entries(entriesOf(scope))]) {
        writer.delete(tables.frontier, key);
      }
    }
    writer.put(tables.crawls, scope, record);
  });
  return record;
}
