import { pageId } from '../../store/page/page-id.ts';
import type { VisitedEntry } from '../commit-visit.ts';
import type { Frontier } from '../frontier.ts';
import type { Visit, Visitor } from '../visit.ts';
import { otherForms } from './url-variants.ts';

/**
 * Stores a page that a site has under several spellings of its path (`/a`, `/a/`, `/a/index.html`) under one of them:
 * the first that the site links to. Two spellings are one page when their contents are equal; pages that differ stay
 * apart.
 */
export function createVariantDedup({ frontier, visitor }: { frontier: Frontier; visitor: Visitor }) {
  /** Of the pages of this run: they may not be committed yet. */
  const hashes = new Map<string, string>();
  const hashOf = (url: string): string | undefined =>
    hashes.get(url) ?? visitor.recordOf(pageId(url))?.contentHash;

  return (visited: VisitedEntry): VisitedEntry => {
    const { url, visit, formerUrls } = visited;
    if (visit.kind !== 'page' && visit.kind !== 'unchanged') return visited;
    const { contentHash } = visit.record;
    const twin = otherForms(url).find((form) => hashOf(form) === contentHash);
    if (twin === undefined || frontier.isLinked(url) > frontier.isLinked(twin)) {
      hashes.set(url, contentHash);
      if (twin === undefined) return visited;
      hashes.delete(twin);
      return { ...visited, formerUrls: [...formerUrls, twin], replacesVariant: true };
    }
    const moved: Visit = { kind: 'moved', to: twin, permanent: true, by: 'form' };
    return { ...visited, visit: moved, formerUrls: [...formerUrls, url] };
  };
}

/** Maximum equal pages of a host whose links are followed. */
const maxEqual = 3;

/**
 * Whether the links of a page are worth following. Servers that generate URLs (with a session number, at any depth of
 * folders) answer them with the same pages again and again; this ends it.
 */
export function createRepeatWatch() {
  const seen = new Map<string, number>();
  return (visit: Visit): boolean => {
    if (visit.kind !== 'page' && visit.kind !== 'unchanged') return true;
    // Pages without text are not comparable: frames, or pages that a script fills.
    if (visit.kind === 'page' && visit.page.body === '') return true;
    const count = (seen.get(visit.record.contentHash) ?? 0) + 1;
    seen.set(visit.record.contentHash, count);
    return count <= maxEqual;
  };
}
