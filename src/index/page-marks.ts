import type { PageHead } from '../page.ts';
import type { TermWeights } from '../text/occurrences/find-terms.ts';
import type { Occurrences } from '../text/occurrences/occurrences.ts';
import type { PageAddress } from '../text/page-address.ts';
import type { SentenceTable } from '../text/passages/sentence-table.ts';

/** What the second phase of the ranking uses of a head. */
export interface RankedHead
  extends Pick<PageHead, 'url' | 'title' | 'siteName' | 'lang' | 'publishedAt' | 'crawledAt'> {
  /** As in `PageHead`; absent or undefined if it was not measured. */
  readonly linkShare?: number | undefined;
}

/** The texts of a page besides its title. */
export type MarkedField = 'headings' | 'body';

/** Which occurrences are wanted, and what they may cost where no positions are stored. */
export interface OccurrenceLimits {
  /** Of each word, and of all words together; see `chooseOccurrences`. */
  readonly perWord: number;
  readonly terms: number;
  /** Occurrences begin before this offset. */
  readonly scanned: number;
  /** How much more text may be read to look through it, in UTF-16 units. */
  readonly read: number;
}

/**
 * What the second phase of the ranking and the snippets use of a page instead of its text. Nothing is decoded, read or
 * computed before it is asked for. Offsets are UTF-16 units.
 */
export interface PageMarks extends RankedHead {
  /** The parts of `url`, which cost less than to parse it. */
  readonly address: PageAddress;
  /** See `likenessOf`. */
  readonly likeness: string;
  readonly bodyLength: number;
  /** False only if the title surely holds none of the terms. */
  mayHoldInTitle(terms: TermWeights): boolean;
  /**
   * Fills `into` with the occurrences of terms in a field, in the order in which `findTerms` returns them for its text and the
   * page's language.
   */
  occurrences(field: MarkedField, terms: TermWeights, limits: OccurrenceLimits, into: Occurrences): void;
  /** A range of a field's text. */
  text(field: MarkedField, start: number, end: number): string;
  /** The sentences of the body. */
  readonly sentences: SentenceTable;
  /** Where the line of the body begins whose name ends at an offset; undefined if no name ends there: see `PassageMarks`. */
  nameLineEndingAt(end: number): number | undefined;
}
