import type { Clock } from '../runtime.ts';
import { pageId } from '../store/page/page-id.ts';
import type { PageStore, Writer } from '../store/page-store.ts';
import type { PageWriter } from '../store/page-writer.ts';
import type { LinkStore } from './link-store.ts';
import { createSchedule } from './schedule.ts';
import { type FollowedVisit, hasOnlyScripts, leavesIndex, type Visitor } from './visit.ts';

export interface ApplyVisitParts {
  readonly store: PageStore;
  readonly pageWriter: PageWriter;
  readonly visitor: Visitor;
  readonly links: LinkStore;
  readonly now: Clock;
}

export interface ApplyVisitOptions {
  /** The links that a later crawl follows; all links of the page when not given. */
  readonly links?: readonly string[];
  /** The visit repeats an earlier one without a request, so the page's date and schedule stay as they are. */
  readonly isRemembered?: boolean;
  /** The transaction waits for it; the page itself is stored before. */
  readonly after?: Promise<void>;
  /** Written in the same transaction as what the visit leaves behind. */
  readonly alsoWrite?: (writer: Writer) => void;
}

/**
 * Brings the store in line with a visit: puts, touches or removes pages, then writes schedule, validators and links in one
 * transaction. Resolves to how many stored pages were removed. Rejects when storing fails.
 */
export type ApplyVisit = (followed: FollowedVisit, options?: ApplyVisitOptions) => Promise<number>;

export function createApplyVisit({ store, pageWriter, visitor, links, now }: ApplyVisitParts): ApplyVisit {
  const schedule = createSchedule(store);

  const applyToPages = async (
    { visit, url, formerUrls }: FollowedVisit,
    isRemembered: boolean,
  ): Promise<{ readonly removed: number; readonly isStoredHere: boolean }> => {
    const isStoredHere = visit.kind !== 'page' || (await pageWriter.put(visit.page));
    if (visit.kind === 'unchanged' && !isRemembered)
      await pageWriter.touch(visit.id, visit.record.crawledAt, visit.structure);
    // Older versions stored pages without a text.
    const isEmpty = hasOnlyScripts(visit) && store.head(pageId(url))?.wordCount === 0;
    const removed = [...formerUrls, ...(leavesIndex(visit) || isEmpty ? [url] : [])]
      .map(pageId)
      .filter((id) => (store.head(id) ?? store.damageOf(id)) !== undefined);
    await Promise.all(removed.map(pageWriter.remove));
    return { removed: removed.length, isStoredHere };
  };

  return async (followed, { links: linksToFollow, isRemembered = false, after, alsoWrite } = {}) => {
    const { url, visit, formerUrls } = followed;
    const isPage = visit.kind === 'page' || visit.kind === 'unchanged';
    const { removed, isStoredHere } = await applyToPages(followed, isRemembered);
    await after;
    // What is not stored and never was leaves nothing behind.
    if (!isPage && !leavesIndex(visit) && formerUrls.length === 0 && alsoWrite === undefined) return removed;
    await store.write((writer) => {
      alsoWrite?.(writer);
      if (!isStoredHere) return;
      if (!isRemembered) schedule.note(writer, followed, now());
      if (!isPage) return;
      visitor.remember(writer, pageId(url), visit.record);
      if (visit.links !== null) links.put(writer, pageId(url), linksToFollow ?? visit.links);
    });
    return removed;
  };
}
