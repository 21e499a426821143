import type { IndexHit } from '../../index/page-index.ts';
import type { RankedHead } from '../../index/page-marks.ts';
import type { LoadablePages } from '../../store/loadable-pages.ts';
import { type FoundTerm, findTerms } from '../../text/find-terms.ts';
import { marksOfHit } from '../marks/marks-of-hit.ts';
import { addressOf } from '../page-address.ts';
import type { SearchBudget } from '../search-budget.ts';
import type { QueryFeatures } from './query-features.ts';
import { type Candidate, maxLooks, type PageMatches } from './rerank.ts';
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
  const { store, budget, depth } = parts;
  let toCome = matchShares;
  const inSites = new Map<string, readonly FoundTerm[]>();

  function read(hit: IndexHit): PageMatches | 'removed' | 'unread' {
    const terms = budget.share('matches', toCome--);
    const marks = marksOfHit(hit, parts);
    if (marks === 'removed' || marks === 'unread') return marks;
    const limits = { perWord: maxOccurrencesPerWord, terms, read: 0 };
    const isWhole = hit.marks !== undefined;
    const inBody = marks.occurrences('body', features.weights, {
      ...limits,
      scanned: isWhole ? Number.POSITIVE_INFINITY : rerankedLength,
    });
    budget.spend('matches', inBody.length);
    const inHeadings = marks.occurrences('headings', features.weights, {
      ...limits,
      scanned: isWhole ? Number.POSITIVE_INFINITY : headingsLength,
    });
    return { marks, inBody, inHeadings };
  }

  return hits.slice(0, depth).flatMap((hit): Candidate[] => {
    const head: RankedHead | undefined = hit.marks ?? store.head(hit.id);
    if (!head) return [];
    const find = (text: string) => findTerms(text, features.weights, head.lang, maxOccurrencesPerWord);
    const inTitle = hit.marks?.mayHoldInTitle(features.weights) === false ? [] : find(head.title);
    const findSite = (): readonly FoundTerm[] => {
      const site = `${head.siteName ?? ''}\n${addressOf(head.url).host}`;
      const key = `${head.lang}\n${site}`;
      const found = inSites.get(key) ?? find(site);
      inSites.set(key, found);
      return found;
    };
    let inPlace: readonly FoundTerm[] | undefined;
    const findPlace = () => {
      inPlace ??= [...inTitle, ...findSite(), ...find(readablePath(addressOf(head.url).pathname))];
      return inPlace;
    };
    const source = textSourceRule(head.url, features, store.has);
    return [{ hit, head, inTitle, inPlace: findPlace, source, read: () => read(hit) }];
  });
}

function readablePath(pathname: string): string {
  if (!pathname.includes('%')) return pathname;
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
