import { pageId } from '../store/page/page-id.ts';
import type { PageStore, Writer } from '../store/page-store.ts';
import { type FollowedVisit, leavesIndex } from './visit.ts';

/** A stored page whose time has come. */
export interface DuePage {
  readonly url: string;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

/** When each stored page is to be visited again. */
export interface Schedule {
  /** Pages that are due at `now`, the longest due first. */
  due(now: number): Iterable<DuePage>;
  /** The page that is due next, of all or of one host (`URL.host`); undefined when none is planned. */
  next(host?: string): DuePage | undefined;
  /** Takes down what a visit says about the time of the next one, in the writer's transaction. */
  note(writer: Writer, followed: FollowedVisit, now: number): void;
}

interface Plan {
  readonly url: string;
  readonly dueAt: number;
  /** How long the page is expected to stay as it is. */
  readonly intervalMs: number;
  /** When it was last found, epoch milliseconds. */
  readonly foundAt: number;
  /** Visits in a row that did not find out. */
  readonly failures: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const minIntervalMs = 6 * hourMs;
const maxIntervalMs = 60 * dayMs;
/** For a page of which nothing is known but that it is there. */
const defaultIntervalMs = 3 * dayMs;
const maxFirstIntervalMs = 30 * dayMs;
const firstRetryMs = 6 * hourMs;
const maxRetryMs = 7 * dayMs;
/** What RFC 9111 section 4.2.2 suggests for how long an answer stays fresh that does not say. */
const shareOfAge = 0.1;

/**
 * The adaptive schedule: a page that is found changed comes back after half the time, one that is not after twice, as
 * far as the time since the last visit bears that out; between six hours and sixty days. A page that could not be
 * seen is tried again after six hours, then after twice as long each time, up to a week.
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
    due: (now) => pages(keyOf('', now + 1)),
    next(host) {
      for (const page of pages()) if (host === undefined || new URL(page.url).host === host) return page;
      return undefined;
    },
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
