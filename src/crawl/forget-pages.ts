import type { PageStore, Writer } from '../store/page-store.ts';
import {
  type CrawlRecord,
  depthOf,
  entriesOf,
  entryKey,
  frontierTables,
  unbegun,
} from './frontier-tables.ts';
import { createSchedule } from './schedule.ts';

interface RemovedPage {
  readonly id: string;
  readonly url: string;
}

/**
 * Makes crawls forget pages that a person takes out of the index, in the writer's transaction. `hostsLeft` are the
 * hosts (`URL.host`) that keep pages.
 */
export type ForgetPages = (
  writer: Writer,
  removed: readonly RemovedPage[],
  hostsLeft: ReadonlySet<string>,
) => void;

/** Above all numbers that a crawl gives, so that an entry never takes the place of one that a running crawl adds. */
const firstRequeuedSeq = 9_000_000_000;

/**
 * No recrawl visits the pages any more. A crawl that was cut short counts them as visited: it is begun again when
 * nothing is left of its hosts, and else has them in its queue again.
 */
export function createForgetPages(store: PageStore): ForgetPages {
  const tables = frontierTables(store);
  const { frontier, seen, crawls } = tables;
  const schedule = createSchedule(store);

  const restart = (writer: Writer, scope: string, { round, run }: CrawlRecord): void => {
    for (const [key] of [...frontier.entries(entriesOf(scope))]) writer.delete(frontier, key);
    // The round stays: the next one has another number than the marks of what was found.
    writer.put(crawls, scope, { ...unbegun, round, ...(run !== undefined && { run }) });
  };

  const requeue = (
    writer: Writer,
    scope: string,
    pages: readonly RemovedPage[],
    firstDepth: number,
    record: CrawlRecord,
  ): void => {
    const { requeued = 0 } = record;
    // No visited page lies deeper than the first one in the queue. Only seeds have the depth 0.
    const depth = Math.max(1, firstDepth);
    for (const [index, { url }] of pages.entries())
      writer.put(frontier, entryKey(scope, depth, firstRequeuedSeq + requeued + index), url);
    writer.put(crawls, scope, {
      ...record,
      queued: record.queued + pages.length,
      requeued: requeued + pages.length,
      pages: Math.max(0, record.pages - pages.length),
    });
  };

  return (writer, removed, hostsLeft) => {
    for (const { id } of removed) schedule.drop(writer, id);
    for (const [scope, record] of [...crawls.entries()]) {
      const [first] = frontier.entries({ ...entriesOf(scope), limit: 1 });
      if (first === undefined) continue;
      const hosts = new Set(record.hosts).add(scope);
      const visited = removed.filter(
        ({ id, url }) => hosts.has(new URL(url).host) && seen.get(`${scope} ${id}`) === record.round,
      );
      if (visited.length === 0) continue;
      if ([...hosts].some((host) => hostsLeft.has(host)))
        requeue(writer, scope, visited, depthOf(first[0]), record);
      else restart(writer, scope, record);
    }
  };
}
