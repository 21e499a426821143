import { pageId } from '../store/page/page-id.ts';
import type { PageStore, Writer } from '../store/page-store.ts';
import { type FollowedVisit, leavesIndex } from './visit.ts';

/** A stored page that is due for its next visit. */
export interface DuePage {
  readonly url: string;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

/** The time of the next visit of each stored page. */
export interface Schedule {
  /** Pages that are due at `now`, in the order of their time. */
  due(now: number): Iterable<DuePage>;
  /** The page with the earliest time, of all hosts or of one (`URL.host`); undefined when none is planned. */
  next(host?: string): DuePage | undefined;
  /** The next visit of a stored page; undefined when none is planned. */
  of(id: string): DuePage | undefined;
  /** Plans the next visit by the result of this one, in the writer's transaction. */
  note(writer: Writer, followed: FollowedVisit, now: number): void;
  /** Plans no visit of the page any more. */
  drop(writer: Writer, id: string): void;
}

interface Plan {
  readonly url: string;
  readonly dueAt: number;
  /** How long the page is expected to stay unchanged. */
  readonly intervalMs: number;
  /** The last visit that found the page, epoch milliseconds. */
  readonly foundAt: number;
  /** Visits in a row without a result. */
  readonly failures: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const minIntervalMs = 6 * hourMs;
const maxIntervalMs = 60 * dayMs;
/** For a page without a last-modified date. */
const defaultIntervalMs = 3 * dayMs;
const maxFirstIntervalMs = 30 * dayMs;
const firstRetryMs = 6 * hourMs;
const maxRetryMs = 7 * dayMs;
/** The heuristic freshness of RFC 9111 section 4.2.2: a share of the time since the last modification. */
const shareOfAge = 0.1;

/**
 * The adaptive schedule: the interval of a page that has changed is halved, that of an unchanged page is doubled, as far
 * as the time since the last visit supports it; between six hours and sixty days. A visit without a result is repeated
 * after six hours, then after twice as long each time, up to a week.
 */
export function createSchedule(store: PageStore): Schedule {
  const plans = store.table<Plan>('plans');
  const queue = store.table<string>('due');
  const keyOf = (id: string, dueAt: number) => `${String(dueAt).padStart(15, '0')} ${id}`;

  const drop = (writer: Writer, id: string): void => {
    const plan = plans.get(id);
    if (plan === undefined) return;
    writer.delete(queue, keyOf(id, plan.dueAt));
    writer.delete(plans, id);
  };

  const put = (writer: Writer, id: string, plan: Plan): void => {
    drop(writer, id);
    writer.put(plans, id, plan);
    writer.put(queue, keyOf(id, plan.dueAt), plan.url);
  };

  const pages = function* (to?: string): Iterable<DuePage> {
    for (const [key, url] of queue.entries(to === undefined ? {} : { to })) {
      yield { url, dueAt: Number(key.slice(0, 15)) };
    }
  };

  return {
    drop,
    due: (now) => pages(keyOf('', now + 1)),
    next(host) {
      for (const page of pages()) if (host === undefined || new URL(page.url).host === host) return page;
      return undefined;
    },
    of: (id) => plans.get(id),
    note(writer, { url, visit, formerUrls }, now) {
      for (const gone of formerUrls) drop(writer, pageId(gone));
      const id = pageId(url);
      const plan = plans.get(id);
      if (visit.kind === 'page' || visit.kind === 'unchanged') {
        const intervalMs =
          plan === undefined
            ? firstInterval(visit.record.lastModified, now)
            : nextInterval(plan, visit.kind === 'page', now);
        put(writer, id, { url, dueAt: now + intervalMs, intervalMs, foundAt: now, failures: 0 });
      } else if (leavesIndex(visit)) {
        drop(writer, id);
      } else if (plan !== undefined) {
        const retryMs = Math.min(firstRetryMs * 2 ** plan.failures, maxRetryMs);
        const askedMs = visit.kind === 'later' ? visit.seconds * 1000 : 0;
        const dueAt = Math.ceil(now + Math.max(retryMs, askedMs));
        put(writer, id, { ...plan, dueAt, failures: plan.failures + 1 });
      }
    },
  };
}

function firstInterval(lastModified: string | undefined, now: number): number {
  const ageMs = now - Date.parse(lastModified ?? '');
  if (!(ageMs > 0)) return defaultIntervalMs;
  return Math.round(Math.min(Math.max(dayMs, ageMs * shareOfAge), maxFirstIntervalMs));
}

function nextInterval({ intervalMs, foundAt }: Plan, changed: boolean, now: number): number {
  const sinceMs = Math.max(0, now - foundAt);
  const next = changed
    ? Math.min(intervalMs, sinceMs) / 2
    : Math.min(intervalMs * 2, Math.max(intervalMs, sinceMs * 2));
  return Math.round(Math.min(Math.max(next, minIntervalMs), maxIntervalMs));
}
