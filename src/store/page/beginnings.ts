import type { Page, PageHead } from '../../page.ts';

/**
 * The part of a page that a search reads: all of it, or the beginning of a long one. The store decompresses a text as a
 * whole, so looking for one word in a body of megabytes would cost more than the rest of the search.
 */
export interface PageBeginning {
  /** The body is only the beginning if `bodyLength` is greater. */
  readonly page: Page;
  /** The length of the whole body, in UTF-16 units. */
  readonly bodyLength: number;
  /** The last `endingLength` units of the whole body. */
  readonly ending: string;
}

/** A stored beginning. It belongs to the version of the page with the same `crawledAt` and `wordCount`. */
export interface StoredBeginning extends Pick<PageHead, 'crawledAt' | 'wordCount'> {
  readonly headings: string;
  readonly body: string;
  readonly bodyLength: number;
  readonly ending: string;
}

/** In UTF-16 units. More than snippets and ranking read first, so that excerpts end before the cut. */
export const beginningLength = 48_000;
/** Shorter bodies have no stored beginning, so at most a third of a body is stored twice. */
export const longBodyLength = 3 * beginningLength;
export const endingLength = 100;

/** The beginning of a page with a long body, to be stored; undefined for other pages. */
export function storedBeginningOf(page: Page): StoredBeginning | undefined {
  const { headings, body, crawledAt, wordCount } = page;
  if (body.length <= longBodyLength) return undefined;
  const isInsidePair = (body.codePointAt(beginningLength - 1) ?? 0) > 0xffff;
  return {
    crawledAt,
    wordCount,
    headings,
    body: body.slice(0, beginningLength - (isInsidePair ? 1 : 0)),
    bodyLength: body.length,
    ending: body.slice(-endingLength),
  };
}

/** Undefined if the beginning is of another version: older versions of Gleaner replace pages without their beginnings. */
export function beginningOf(head: PageHead, stored: StoredBeginning): PageBeginning | undefined {
  const { crawledAt, wordCount, headings, body, bodyLength, ending } = stored;
  if (crawledAt !== head.crawledAt || wordCount !== head.wordCount) return undefined;
  return { page: { ...head, headings, body }, bodyLength, ending };
}

/** For a page that was read as a whole. */
export function wholePage(page: Page): PageBeginning {
  return { page, bodyLength: page.body.length, ending: page.body.slice(-endingLength) };
}
