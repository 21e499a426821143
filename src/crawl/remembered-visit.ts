import { pageId } from '../store/page/page-id.ts';
import type { PageStore } from '../store/page-store.ts';
import type { LinkStore } from './link-store.ts';
import type { Visit, Visitor } from './visit.ts';

interface RememberedVisitParts {
  readonly store: PageStore;
  readonly visitor: Visitor;
  readonly links: LinkStore;
}

/** The last visit of a page, which replaces a new one when the page need not be requested. */
export interface RememberedVisit {
  readonly crawledAt: number;
  readonly visit: Extract<Visit, { kind: 'unchanged' }>;
}

/** The last visit of a stored page; undefined when a part of it is missing, such as its links. */
export function rememberedVisit(
  { store, visitor, links }: RememberedVisitParts,
  url: string,
): RememberedVisit | undefined {
  const id = pageId(url);
  const head = store.head(id);
  const record = head && visitor.recordOf(id);
  if (!head || !record || !links.has(id)) return undefined;
  return { crawledAt: head.crawledAt, visit: { kind: 'unchanged', id, links: null, nofollowed: 0, record } };
}

/** Equal to the minimum interval of the schedule. */
const recentMs = 6 * 60 * 60 * 1000;

export function isRecent({ crawledAt }: RememberedVisit, now: number): boolean {
  return now - crawledAt < recentMs;
}
