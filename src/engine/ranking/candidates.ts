import type { IndexHit } from '../../index/page-index.ts';
import type { OccurrenceLimits, PageMarks, RankedHead } from '../../index/page-marks.ts';
import type { LoadablePages } from '../../store/loadable-pages.ts';
import { pageId } from '../../store/page/page-id.ts';
import { findTerms } from '../../text/occurrences/find-terms.ts';
import { noOccurrences, Occurrences } from '../../text/occurrences/occurrences.ts';
import { addressOf, type PageAddress } from '../../text/page-address.ts';
import { marksOfHit } from '../marks/marks-of-hit.ts';
import type { SearchBudget } from '../search-budget.ts';
import type { Candidate, PageMatches } from './candidate.ts';
import type { QueryFeatures } from './query-features.ts';
import { maxLooks } from './rerank.ts';
import { readersIds, textSourceRule } from './text-source.ts';

/** The number of even shares of a search's matches. Half of them are never taken, and leave a quarter for the snippets. */
const matchShares = 2 * maxLooks;

/**
 * Maximum length of a body that is scanned, in UTF-16 units, so that a few very long pages do not delay a search. Pages with
 * marks are looked at as a whole: a definition may be far down.
 */
const rerankedLength = 40_000;
/** Maximum length of the headings that are scanned, in UTF-16 units. */
const headingsLength = 20_000;
/** Maximum number of matches of each query word in a page: more of them do not change the score. */
const maxOccurrencesPerWord = 50;

export interface CandidateParts {
  readonly store: LoadablePages;
  readonly budget: SearchBudget;
  /** Number of hits that are reordered. */
  readonly depth: number;
}

/** Loads the heads that `candidatesOf` looks at, where the reader has not all pages at once. */
export async function loadCandidates(
  store: LoadablePages,
  hits: readonly IndexHit[],
  features: QueryFeatures,
): Promise<void> {
  if (!store.loadHeads) return;
  await store.loadHeads(hits);
  const shown = hits.flatMap(({ id }) => readersIds(store.head(id)?.url ?? '', features));
  await store.loadHeads(shown.map((id) => ({ id })));
}

/** What the second phase needs of the best hits. Pages that are not stored any more are left out. */
export function candidatesOf(
  hits: readonly IndexHit[],
  features: QueryFeatures,
  parts: CandidateParts,
): Candidate[] {
  const looks = new PageLooks(features, parts);
  return hits.slice(0, parts.depth).flatMap((hit): Candidate[] => {
    const head: RankedHead | undefined = hit.marks ?? parts.store.head(hit.id);
    return head ? [new HitCandidate(hit, head, looks)] : [];
  });
}

/** What the candidates of a search share. */
class PageLooks {
  readonly features: QueryFeatures;
  readonly parts: CandidateParts;
  private remaining = matchShares;
  private readonly inBody = new Occurrences();
  private readonly inHeadings = new Occurrences();
  /** Most candidates are of a few sites. */
  private readonly inSites = new Map<string, Occurrences>();
  private readonly stored = new Map<string, boolean>();

  constructor(features: QueryFeatures, parts: CandidateParts) {
    this.features = features;
    this.parts = parts;
  }

  find(text: string, lang: string, into: Occurrences): Occurrences {
    for (const token of findTerms(text, this.features.weights, lang, maxOccurrencesPerWord))
      into.add(token.start, token.end, token);
    return into;
  }

  findInSite({ siteName, lang }: RankedHead, { host }: PageAddress): Occurrences {
    const site = `${siteName ?? ''}\n${host}`;
    const key = `${lang}\n${site}`;
    const found = this.inSites.get(key) ?? this.find(site, lang, new Occurrences());
    this.inSites.set(key, found);
    return found;
  }

  /** Many sources are shown on one page, such as the front page of the documentation of a program. */
  isStored(url: string): boolean {
    const isStored = this.stored.get(url) ?? this.parts.store.has(pageId(url));
    this.stored.set(url, isStored);
    return isStored;
  }

  /** The maximum number of matches of the next page. */
  nextShare(): number {
    return this.parts.budget.share('matches', this.remaining--);
  }

  /** Looks at a page for at most `terms` matches. */
  look(marks: PageMarks, isIndexed: boolean, terms: number): PageMatches {
    const { inBody, inHeadings } = this;
    const { weights } = this.features;
    const within = (scanned: number): OccurrenceLimits => {
      const limit = isIndexed ? Number.POSITIVE_INFINITY : scanned;
      return { perWord: maxOccurrencesPerWord, terms, read: 0, scanned: limit };
    };
    marks.occurrences('body', weights, within(rerankedLength), inBody);
    return {
      marks,
      inBody,
      inHeadings: () => {
        marks.occurrences('headings', weights, within(headingsLength), inHeadings);
        return inHeadings;
      },
    };
  }
}

class HitCandidate implements Candidate {
  readonly hit: IndexHit;
  readonly head: RankedHead;
  readonly address: PageAddress;
  readonly inTitle: Occurrences;
  private readonly looks: PageLooks;
  private place: Occurrences | undefined;
  /** Once it was read: its marks, and the maximum number of its matches. */
  private marks: ReturnType<typeof marksOfHit> | undefined;
  private share: number | undefined;

  constructor(hit: IndexHit, head: RankedHead, looks: PageLooks) {
    const { features } = looks;
    this.hit = hit;
    this.head = head;
    this.looks = looks;
    this.address = hit.marks?.address ?? addressOf(head.url);
    this.inTitle =
      hit.marks?.mayHoldInTitle(features.weights) === false
        ? noOccurrences
        : looks.find(head.title, head.lang, new Occurrences());
  }

  source(): number {
    const { looks } = this;
    return textSourceRule(this, looks.features, (url) => looks.isStored(url));
  }

  inPlace(): Occurrences {
    this.place ??= this.findPlace();
    return this.place;
  }

  read(): PageMatches | 'removed' | 'unread' {
    const { looks, hit } = this;
    const { budget } = looks.parts;
    const terms = this.share ?? looks.nextShare();
    this.marks ??= marksOfHit(hit, looks.parts);
    if (this.marks === 'removed' || this.marks === 'unread') return this.marks;
    const matches = looks.look(this.marks, hit.marks !== undefined, terms);
    if (this.share === undefined) budget.spend('matches', matches.inBody.length);
    this.share = terms;
    return matches;
  }

  private findPlace(): Occurrences {
    const { head, address, looks } = this;
    const place = new Occurrences();
    place.addAll(this.inTitle);
    place.addAll(looks.findInSite(head, address));
    return looks.find(readablePath(address.pathname), head.lang, place);
  }
}

function readablePath(pathname: string): string {
  if (!pathname.includes('%')) return pathname;
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
