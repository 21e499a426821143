import type { SearchParams, SearchResult } from '../contract/search.ts';
import { createAnswerCache } from '../external/answer-cache.ts';
import type { IndexAnswer, IndexSearch, PageIndex } from '../index/page-index.ts';
import type { Clock } from '../outside.ts';
import type { PageStore } from '../store/page-store.ts';
import { timestamp } from './content-record.ts';
import { type OnPhase, startLaps } from './laps.ts';
import { type Ranked, rank } from './rank.ts';
import { createSearchBudget, longestLook, type SearchBudget } from './search-budget.ts';
import { aboutPage, makeSnippet } from './snippet.ts';
import { createTimeSlices } from './time-slices.ts';

/** What the index knows of a page of results. It is shared: nobody may write into it. */
export interface LocalAnswer {
  /** How many pages match. */
  readonly total: number;
  /** The best of them, to the end of the page that was asked for. */
  readonly hits: readonly Pick<Ranked, 'id' | 'score'>[];
  /** The page that was asked for. */
  readonly results: readonly SearchResult[];
}

export interface LocalSearchParts {
  readonly store: PageStore;
  readonly index: PageIndex;
  readonly hasLlmsTxt: (url: string) => boolean;
  readonly now: Clock;
  /** Told of the phases of searches that are made, not of those whose answer is there. */
  readonly onPhase?: OnPhase | undefined;
}

/** `search` is what the index is to be asked for `params`. Rejects with the signal's reason. */
export type LocalSearch = (
  params: SearchParams,
  search: IndexSearch,
  signal?: AbortSignal,
) => Promise<LocalAnswer>;

/** As long as HTTP caches may keep a search: time ranges and the freshness of pages are that much out of date. */
const keepMs = 15_000;
const maxCachedBytes = 16 * 1024 * 1024;
/** For what holds an answer in the cache, besides its texts. */
const frameBytes = 512;

/**
 * Finds, orders and dresses local results. The same question to the same state of the index has the same answer for
 * a while, since the second phase and the snippets are most of what a search costs; any change of the index that is
 * seen, and any packing, makes new ones.
 */
export function createLocalSearch({ store, index, hasLlmsTxt, now, onPhase }: LocalSearchParts): LocalSearch {
  const answers = createAnswerCache<LocalAnswer>({
    keepMs: () => keepMs,
    bytesOf: (answer) => 2 * JSON.stringify(answer).length + frameBytes,
    maxBytes: maxCachedBytes,
    now,
  });

  /** `toCome`: how many results are still to be made, this one counted. */
  const result = (
    { id, score, read, found }: Ranked,
    weights: IndexAnswer['weights'],
    { budget, toCome }: { readonly budget: SearchBudget; readonly toCome: number },
  ): SearchResult[] => {
    const mayRead = budget.left('readCharacters') > 0;
    const beginning = read ?? (mayRead ? store.beginning(id) : undefined);
    const head = beginning?.page ?? (mayRead ? undefined : store.head(id));
    // Removed since the index looked: one result less, the next search knows.
    if (!head) return [];
    if (!read && beginning) budget.spend('readCharacters', beginning.page.body.length);

    const snippet = (): string => {
      if (!beginning) return aboutPage(head);
      const { page, bodyLength } = beginning;
      const wholeBody = (): string | undefined => {
        if (bodyLength > Math.min(longestLook, budget.share('readCharacters', toCome))) return undefined;
        budget.spend('readCharacters', bodyLength);
        return store.page(id)?.body;
      };
      const isCut = page.body.length < bodyLength;
      return makeSnippet(page, weights, {
        known: found,
        budget,
        toCome,
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
        published_at: timestamp(head.publishedAt),
        crawled_at: new Date(head.crawledAt).toISOString(),
      },
    ];
  };

  const make = async (offset: number, search: IndexSearch, signal: AbortSignal): Promise<LocalAnswer> => {
    const lap = startLaps(onPhase);
    const budget = createSearchBudget();
    const pause = createTimeSlices({ signal });
    const { total, hits, weights } = await rank({ index, store, now, lap, budget, pause }, search);
    lap('rerank');
    signal.throwIfAborted();
    const results: SearchResult[] = [];
    const shown = hits.slice(offset);
    for (const [place, hit] of shown.entries()) {
      results.push(...result(hit, weights, { budget, toCome: shown.length - place }));
      await pause();
    }
    // A string that was cut from a page's text may hold all of it in memory; its copy does not.
    const answer = structuredClone({ total, hits: hits.map(({ id, score }) => ({ id, score })), results });
    lap('results');
    return answer;
  };

  return (params, search, signal) => {
    const key = JSON.stringify([params, index.stats()]);
    return answers.get(key, (shared) => make(params.offset, search, shared), signal);
  };
}
