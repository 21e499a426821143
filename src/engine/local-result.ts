import type { SearchResult } from '../contract/search.ts';
import type { IndexAnswer } from '../index/page-index.ts';
import type { LoadablePages } from '../store/loadable-pages.ts';
import { copyString } from '../text/copy-string.ts';
import { findTerms } from '../text/occurrences/find-terms.ts';
import { addressOf } from '../text/page-address.ts';
import { toIsoTime } from './content-record.ts';
import { aboutPage, makeSnippet } from './excerpt/snippet.ts';
import { marksOfHit } from './marks/marks-of-hit.ts';
import type { RankedPage } from './ranking/two-phase-ranking.ts';
import { resultScore } from './result-score.ts';
import type { SearchBudget } from './search-budget.ts';

export interface LocalResultParts {
  readonly store: LoadablePages;
  readonly hasLlmsTxt: (url: string) => boolean;
}

export interface ResultOptions {
  readonly budget: SearchBudget;
  /** The number of results still to be made, with this one. */
  readonly remaining: number;
}

/** Makes a result of a hit; none if the page was removed since the search of the index. */
export type LocalResult = (
  hit: RankedPage,
  weights: IndexAnswer['weights'],
  options: ResultOptions,
) => SearchResult[];

/**
 * Loads what the results of these hits are made from, where the reader has not all pages at once. Of long pages whose
 * beginnings have none of the words, the whole body, as far as the budget allows.
 */
export async function loadResults(
  store: LoadablePages,
  hits: readonly RankedPage[],
  { weights, budget }: { readonly weights: IndexAnswer['weights']; readonly budget: SearchBudget },
): Promise<void> {
  if (!store.loadHeads) return;
  const ids = hits.map(({ id }) => id);
  await store.loadHeads(hits);
  await store.loadTexts?.(ids);
  let room = budget.remaining('readCharacters');
  for (const id of ids) {
    const beginning = store.beginning(id);
    if (!beginning) continue;
    const { page, bodyLength } = beginning;
    if (bodyLength === page.body.length || bodyLength > room) continue;
    if (findTerms(page.body, weights, page.lang, 1, 1).length > 0) continue;
    room -= bodyLength;
    await store.loadPage?.(id);
  }
}

/** Returns the function that turns hits into results with snippets. */
export function createLocalResult({ store, hasLlmsTxt }: LocalResultParts): LocalResult {
  // The results of an answer are mostly of a few hosts.
  const llmsTxtOf = new Map<string, boolean>();
  const hostHasLlmsTxt = (url: string, host: string): boolean => {
    const has = llmsTxtOf.get(host) ?? hasLlmsTxt(url);
    llmsTxtOf.set(host, has);
    return has;
  };

  return (hit, weights, { budget, remaining }) => {
    const { id, score } = hit;
    const marks = marksOfHit(hit, { store, budget });
    // The page was removed since the search of the index, or its text is known to be damaged: one result fewer.
    if (marks === 'removed' || !store.has(id)) return [];
    const descriptionOf = (): string => store.head(id)?.description ?? '';
    const head = marks === 'unread' ? store.head(id) : marks;
    if (!head) return [];
    const { host, hostname } = marks === 'unread' ? addressOf(head.url) : marks.address;
    const snippet =
      marks === 'unread'
        ? aboutPage(descriptionOf())
        : makeSnippet(marks, weights, { descriptionOf, budget, remaining });

    return [
      {
        id,
        url: head.url,
        title: head.title,
        // Answers are cached, and a slice of a text would keep the whole text in memory.
        snippet: copyString(snippet),
        domain: hostname,
        ...(head.siteName !== null && { site_name: head.siteName }),
        lang: head.lang,
        score: resultScore(score),
        source: 'local',
        has_llms_txt: hostHasLlmsTxt(head.url, host),
        published_at: toIsoTime(head.publishedAt),
        crawled_at: new Date(head.crawledAt).toISOString(),
      },
    ];
  };
}
