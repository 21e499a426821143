import type { SearchResult } from '../contract/search.ts';
import type { IndexAnswer } from '../index/page-index.ts';
import type { PageStore } from '../store/page-store.ts';
import { toIsoTime } from './content-record.ts';
import { aboutPage, makeSnippet } from './excerpt/snippet.ts';
import type { RankedPage } from './ranking/two-phase-ranking.ts';
import { maxTextLength, type SearchBudget } from './search-budget.ts';

export interface LocalResultParts {
  readonly store: PageStore;
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

/** Returns the function that turns hits into results with snippets. */
export function createLocalResult({ store, hasLlmsTxt }: LocalResultParts): LocalResult {
  return ({ id, score, read, found }, weights, { budget, remaining }) => {
    const mayRead = budget.remaining('readCharacters') > 0;
    const beginning = read ?? (mayRead ? store.beginning(id) : undefined);
    const head = beginning?.page ?? (mayRead ? undefined : store.head(id));
    // The page was removed since the search of the index: one result fewer, this time.
    if (!head) return [];
    if (!read && beginning) budget.spend('readCharacters', beginning.page.body.length);

    const snippet = (): string => {
      if (!beginning) return aboutPage(head);
      const { page, bodyLength } = beginning;
      const wholeBody = (): string | undefined => {
        if (bodyLength > Math.min(maxTextLength, budget.share('readCharacters', remaining))) return undefined;
        budget.spend('readCharacters', bodyLength);
        return store.page(id)?.body;
      };
      const isCut = page.body.length < bodyLength;
      return makeSnippet(page, weights, {
        bodyMatches: found,
        budget,
        remaining,
        ...(isCut && { wholeBody }),
      });
    };

    return [
      {
        id,
        url: head.url,
        title: head.title,
        snippet: snippet(),
        domain: new URL(head.url).hostname,
        ...(head.siteName !== null && { site_name: head.siteName }),
        lang: head.lang,
        score,
        source: 'local',
        has_llms_txt: hasLlmsTxt(head.url),
        published_at: toIsoTime(head.publishedAt),
        crawled_at: new Date(head.crawledAt).toISOString(),
      },
    ];
  };
}
