import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createTimeSlices } from '../../async/time-slices.ts';
import { createOutcomeStore } from '../../crawl/outcomes.ts';
import { createSchedule } from '../../crawl/schedule.ts';
import type { PageStore } from '../../store/page-store.ts';

/** The pages of one host. Times are epoch milliseconds. */
export interface HostSurvey {
  /** As in `URL.host`; empty for pages of files. */
  readonly host: string;
  readonly pages: number;
  /** How many of these were read with credentials. */
  readonly privatePages: number;
  /** How many of these are copies of another one; searches do not return them. */
  readonly copies: number;
  /** Undefined where no page could be read. */
  readonly lastVisitAt: number | undefined;
  /** The next planned visit of any of the pages. */
  readonly nextVisitAt: number | undefined;
  /** How many URLs are no pages, by reason, the commonest first. */
  readonly failures: readonly (readonly [reason: string, urls: number])[];
}

/**
 * Looks at every page and every outcome of a store: the hosts, largest first. It takes some seconds for a million pages, and
 * gives way to other work meanwhile.
 */
export async function surveyHosts(store: PageStore): Promise<HostSurvey[]> {
  const pause = createTimeSlices();
  const hosts = new Map<string, HostTally>();
  const tallyOf = (host: string): HostTally => {
    const known = hosts.get(host) ?? { pages: 0, privatePages: 0, copies: 0, failures: new Map() };
    hosts.set(host, known);
    return known;
  };
  for (const { url, crawledAt, copyOf, isPrivate } of store.heads()) {
    const tally = tallyOf(new URL(url).host);
    tally.pages += 1;
    if (copyOf !== undefined) tally.copies += 1;
    if (isPrivate) tally.privatePages += 1;
    tally.lastVisitAt = Math.max(tally.lastVisitAt ?? 0, crawledAt);
    await pause();
  }
  // In the order of their times, so the first of a host is its next.
  for (const { url, dueAt } of createSchedule(store).due(Number.MAX_SAFE_INTEGER - 1)) {
    const tally = hosts.get(new URL(url).host);
    if (tally) tally.nextVisitAt ??= dueAt;
    await pause();
  }
  const outcomes = createOutcomeStore(store);
  for (const host of outcomes.hosts()) {
    const { failures } = tallyOf(host);
    for (const { outcome } of outcomes.ofHost(host)) {
      failures.set(outcome, (failures.get(outcome) ?? 0) + 1);
      await pause();
    }
  }
  return [...hosts]
    .sort(([, a], [, b]) => b.pages - a.pages)
    .map(([host, { failures, lastVisitAt, nextVisitAt, ...counts }]) => {
      const byCount = [...failures].sort(([, a], [, b]) => b - a);
      return { host, ...counts, lastVisitAt, nextVisitAt, failures: byCount };
    });
}

interface HostTally {
  pages: number;
  privatePages: number;
  copies: number;
  lastVisitAt?: number;
  nextVisitAt?: number;
  readonly failures: Map<string, number>;
}

/** Bytes on disk of all files below a folder, as allocated: the store's file is sparse on some systems. */
export function folderBytesOnDisk(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // A packing may remove a file meanwhile.
    const stats = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    bytes += stats === undefined ? 0 : stats.blocks > 0 ? stats.blocks * 512 : stats.size;
  }
  return bytes;
}
