import { pageId } from '../../store/page/page-id.ts';
import type { VisitedEntry } from '../commit-visit.ts';
import type { Frontier } from '../frontier.ts';
import type { Visit, Visitor } from '../visit.ts';
import { otherForms } from './url-variants.ts';

/**
 * Keeps a page that a site has under several spellings of its path (`/a`, `/a/`, `/a/index.html`) under one of them:
 * the one that the site links to, and of several such the first. Two spellings are one page when their contents are
 * equal, so pages that differ stay apart.
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

/** So many pages of a host may be equal before the links of further ones are left alone. */
const maxEqual = 3;

/**
 * Whether the links of a page are worth following. Servers that make up addresses (a session's number in each, any
 * depth of folders) answer them with the same pages over and over, and this ends it.
 */
export function createRepeatWatch() {
  const seen = new Map<string, number>();
  return (visit: Visit): boolean => {
    if (visit.kind !== 'page' && visit.kind !== 'unchanged') return true;
    // A page without a text says too little: frames, or what a script would fill.
    if (visit.kind === 'page' && visit.page.body === '') return true;
    const count = (seen.get(visit.record.contentHash) ?? 0) + 1;
    seen.set(visit.record.contentHash, count);
    return count <= maxEqual;
  };
}
