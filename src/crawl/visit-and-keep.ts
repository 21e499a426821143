import { ServiceError } from '../contract/errors.ts';
import type { Page } from '../page.ts';
import type { Clock } from '../runtime.ts';
import type { PageStore } from '../store/page-store.ts';
import type { PageWriter } from '../store/page-writer.ts';
import { isNoindex } from './answer/read-answer.ts';
import { createApplyVisit } from './apply-visit.ts';
import { isOutOfReach } from './fetch/fetch-outcome.ts';
import { createLinkStore } from './link-store.ts';
import { type FollowedVisit, hasOnlyScripts, type Visitor } from './visit.ts';

/** The result of a visit outside of a crawl. `url` is the canonical URL that was visited last. */
export type KeptVisit =
  /** `isStored` is false when another process was writing or the disk was full: the page is lost when this process ends. */
  | { readonly kind: 'page'; readonly url: string; readonly page: Page; readonly isStored: boolean }
  | { readonly kind: 'gone'; readonly url: string }
  | { readonly kind: 'later'; readonly url: string; readonly why: string; readonly seconds: number }
  /**
   * `isWithdrawn`: the site wants the page in no index, so a stored copy must not be shown either. `isOutOfReach`: no
   * host may be visited; only the operator may see the reason. `isDrawn`: scripts draw the page.
   */
  | {
      readonly kind: 'never';
      readonly url: string;
      readonly why: string;
      readonly isWithdrawn?: true;
      readonly isOutOfReach?: true;
      readonly isDrawn?: true;
    };

/** Visits one page and stores the result. Rejects only with the signal's reason. */
export type VisitAndKeep = (url: string, signal?: AbortSignal) => Promise<KeptVisit>;

interface VisitAndKeepParts {
  readonly store: PageStore;
  readonly pageWriter: PageWriter;
  readonly visitor: Visitor;
  readonly now: Clock;
}

/**
 * Visits pages outside of any crawl, by the same rules: a page that is read is stored, a page that is gone or has moved
 * permanently leaves the index.
 */
export function createVisitAndKeep({ store, pageWriter, visitor, now }: VisitAndKeepParts): VisitAndKeep {
  const links = createLinkStore(store);
  const applyVisit = createApplyVisit({ store, pageWriter, visitor, links, now });

  const isKept = async (followed: FollowedVisit): Promise<boolean> => {
    try {
      await applyVisit(followed);
      return true;
    } catch (error) {
      if (error instanceof ServiceError && (error.code === 'unavailable' || error.code === 'storage_full'))
        return false;
      throw error;
    }
  };

  const resultOf = ({ url, visit }: FollowedVisit, isStored: boolean): KeptVisit => {
    switch (visit.kind) {
      case 'page':
        return { kind: 'page', url, page: visit.page, isStored };
      case 'unchanged': {
        const page = store.page(visit.id);
        // Another process removed it during the request.
        return page ? { kind: 'page', url, page, isStored: true } : { kind: 'gone', url };
      }
      case 'moved':
        return { kind: 'never', url, why: 'moved out of reach' };
      case 'later':
        return { kind: 'later', url, why: visit.why, seconds: visit.seconds };
      case 'gone':
        return { kind: 'gone', url };
      case 'never':
        return {
          kind: 'never',
          url,
          why: visit.why,
          ...(isNoindex(visit.why) && { isWithdrawn: true }),
          ...(isOutOfReach(visit.why) && { isOutOfReach: true }),
          ...(hasOnlyScripts(visit) && { isDrawn: true }),
        };
    }
  };

  return async (url, signal) => {
    // A page without stored links must be read again: a later crawl would find nothing to follow from it.
    const followed = await visitor.visit(url, { signal, conditional: links.has });
    return resultOf(followed, await isKept(followed));
  };
}
