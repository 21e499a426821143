import type { Page, PageHead } from '../../page.ts';

/**
 * Where a search reads a page: all of it, or the beginning of a long one. The store unpacks a text as a whole, so one
 * word looked for in a body of megabytes would cost more than the search.
 */
export interface PageBeginning {
  /** Its body is the beginning alone where `bodyLength` is greater. */
  readonly page: Page;
  /** Of the whole body, in UTF-16 units. */
  readonly bodyLength: number;
  /** The last `endingLength` units of the whole body. */
  readonly ending: string;
}

/** How a beginning is stored. It belongs to the version of the page with the same `crawledAt` and `wordCount`. */
export interface StoredBeginning extends Pick<PageHead, 'crawledAt' | 'wordCount'> {
  readonly headings: string;
  readonly body: string;
  readonly bodyLength: number;
  readonly ending: string;
}

/** In UTF-16 units. More than snippets and ranking look at first, so that what they show ends before the cut. */
export const beginningLength = 48_000;
/** Shorter bodies are read whole: what is stored twice is then at most a third of them. */
export const longBodyLength = 3 * beginningLength;
export const endingLength = 100;

/** What is stored beside a page with a long body; undefined for any other. */
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

/** Undefined where the beginning is of another version: an older Gleaner replaces pages without their beginnings. */
export function beginningOf(head: PageHead, stored: StoredBeginning): PageBeginning | undefined {
  const { crawledAt, wordCount, headings, body, bodyLength, ending } = stored;
  if (crawledAt !== head.crawledAt || wordCount !== head.wordCount) return undefined;
  return { page: { ...head, headings, body }, bodyLength, ending };
}

/** Of a page that was read whole. */
export function wholePage(page: Page): PageBeginning {
  return { page, bodyLength: page.body.length, ending: page.body.slice(-endingLength) };
}
