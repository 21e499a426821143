import type { Clock } from '../../runtime.ts';
import type { PageStore } from '../../store/page-store.ts';
import type { LinkStore } from '../link-store.ts';
import { rememberedVisit } from '../remembered-visit.ts';
import type { Visit, Visitor } from '../visit.ts';
import type { ListedUrl } from './feed.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Many dates in sitemaps are days without a time zone. */
const marginMs = 2 * dayMs;
/** Some sites forget to change the date: after this time a page is requested anyway. */
const trustMs = 30 * dayMs;

interface SitemapDatesParts {
  readonly store: PageStore;
  readonly visitor: Visitor;
  readonly links: LinkStore;
  readonly now: Clock;
}

export type SitemapDates = ReturnType<typeof createSitemapDates>;

/** The dates of the last change that a site's sitemaps name. */
export function createSitemapDates(parts: SitemapDatesParts) {
  const changed = new Map<string, number>();
  return {
    add(listed: readonly ListedUrl[]): void {
      for (const { url, lastModified } of listed)
        if (lastModified !== undefined) changed.set(url, lastModified);
    },
    /** The earlier visit of a page that was read after its last change; undefined for a page that needs a visit. */
    unchanged(url: string): Extract<Visit, { kind: 'unchanged' }> | undefined {
      const lastModified = changed.get(url);
      const last = lastModified === undefined ? undefined : rememberedVisit(parts, url);
      if (lastModified === undefined || last === undefined) return undefined;
      const isOlder = lastModified + marginMs < last.crawledAt;
      return isOlder && parts.now() - last.crawledAt <= trustMs ? last.visit : undefined;
    },
  };
}
