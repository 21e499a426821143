import type { Page, PageHead } from '../page.ts';
import type { TextStructure } from '../text/structure/marks.ts';
import type { PageStore } from './page-store.ts';

/**
 * Pages by id, for one search. A store has them all at once. A reader whose pages are elsewhere has those that were loaded
 * before, many in one request: so callers load what they are going to read, where there is a way to.
 */
export interface LoadablePages extends Pick<PageStore, 'has' | 'head' | 'page' | 'beginning' | 'damageOf'> {
  /** Makes `head` know these pages; of those that came with their heads, nothing is asked. */
  loadHeads?(pages: readonly LoadedHead[]): Promise<void>;
  /** Makes `beginning` know these pages. */
  loadTexts?(ids: readonly string[]): Promise<void>;
  /** Makes `page` know this page. */
  loadPage?(id: string): Promise<void>;
}

export interface LoadedHead {
  readonly id: string;
  /** Absent if it is not known yet. */
  readonly head?: PageHead | undefined;
}

/** Where pages are read from. */
export interface PageSource {
  /** A reader for one search. */
  open(): LoadablePages;
  pageCount(): number;
  /** How many of these were read with credentials, as far as is known. */
  privatePageCount(): number;
  /** The structure of a page that was read from it; undefined if it is not known. */
  structureOf(page: Page): TextStructure | undefined;
  /** Whether the host of a URL has an llms.txt, as far as is known. */
  hasLlmsTxt(url: string): boolean;
}
