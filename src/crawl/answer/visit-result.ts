import type { Page } from '../../page.ts';
import { type FetchOutcome, isLeftAlone } from '../fetch/fetch-outcome.ts';
import { canonicalUrl } from '../url/canonical-url.ts';
import type { VisitRecord } from '../visit-record.ts';

/**
 * The result of a visit, named by what happens next. Links are canonical URLs without duplicates; `nofollowed` is the
 * number of links that the site asks not to follow.
 */
export type Visit =
  | {
      readonly kind: 'page';
      readonly page: Page;
      readonly links: readonly string[];
      readonly nofollowed: number;
      readonly record: VisitRecord;
    }
  /** The page is at `to`; `permanent` means that the old URL is not to be used again. */
  | {
      readonly kind: 'moved';
      readonly to: string;
      readonly permanent: boolean;
      /** `form`: the same page under another spelling of its path, recognized by its content. */
      readonly by: 'redirect' | 'canonical' | 'form';
    }
  /** The stored page is up to date. `links` is null when the site answered "not modified" without the page. */
  | {
      readonly kind: 'unchanged';
      readonly id: string;
      readonly links: readonly string[] | null;
      readonly nofollowed: number;
      readonly record: VisitRecord;
      /** As in `Page`; absent if the site answered without the page. */
      readonly structure?: string;
    }
  /** `wholeHost`: the pause is for all pages of the host. */
  | {
      readonly kind: 'later';
      readonly seconds: number;
      readonly why: string;
      readonly wholeHost: boolean;
      /** Whether the site itself answered. */
      readonly answered: boolean;
    }
  | { readonly kind: 'gone' }
  /** Not to be stored; `links` are those of a page that may be followed but not stored. */
  | {
      readonly kind: 'never';
      readonly why: string;
      readonly links: readonly string[];
      readonly nofollowed: number;
    };

export interface VisitOptions {
  readonly signal?: AbortSignal | undefined;
  /** Where the page may move to; a canonical URL outside is ignored. Anywhere when not given. */
  readonly within?: (url: string) => boolean;
  /** False for a move to a page that has its own visit; called after `within`. */
  readonly claim?: (url: string) => boolean;
  /** Whether the page's feeds are added to its links. */
  readonly feeds?: boolean;
  /** Whether "not modified" is enough for the page of this id: that answer does not show its links. */
  readonly conditional?: (id: string) => boolean;
}

export function never(why: string, links: readonly string[] = []): Extract<Visit, { kind: 'never' }> {
  return { kind: 'never', why, links, nofollowed: 0 };
}

/** A visit that has to wait, for the page or for its whole host. */
export function visitLater({ seconds, why, status }: Extract<FetchOutcome, { kind: 'later' }>): Visit {
  const wholeHost = status === 429 || status === 503 || isLeftAlone(why);
  return { kind: 'later', seconds, why, wholeHost, answered: status !== null };
}

/** What an answer other than a page means. */
export function withoutPage(
  outcome: Exclude<FetchOutcome, { kind: 'ok' }>,
  url: string,
  hadCredentials: boolean,
): Visit {
  switch (outcome.kind) {
    case 'redirect': {
      const to = canonicalUrl(outcome.to);
      if (to === null) return never('redirect to no page');
      return to === url
        ? never('redirect to itself')
        : { kind: 'moved', to, permanent: outcome.permanent, by: 'redirect' };
    }
    case 'later':
      return visitLater(outcome);
    case 'notModified':
      return never('status 304');
    case 'gone':
      return outcome;
    case 'never':
      return never(
        hadCredentials && (outcome.status === 401 || outcome.status === 403)
          ? `${outcome.why}: the credentials were not accepted`
          : outcome.why,
      );
  }
}
