import type { IndexHit } from '../../index/page-index.ts';
import type { PageMarks } from '../../index/page-marks.ts';
import type { Occurrences } from '../../text/occurrences/occurrences.ts';
import type { LocatedPage } from './located-page.ts';

/** One of the best pages of the first phase, with what is known without its text. */
export interface Candidate extends LocatedPage {
  readonly hit: IndexHit;
  /** The query's words in the title, in reading order. */
  readonly inTitle: Occurrences;
  /** The query's words in the title, the address and the site's name. */
  inPlace(): Occurrences;
  /** Factor of its score: below 1 if another page shows the same for readers; see `text-source.ts`. */
  source?(): number;
  /**
   * `removed` if the page is not stored any more, `unread` if the search budget allows no more reading. To read it again costs
   * the budget nothing.
   */
  read(): PageMatches | 'removed' | 'unread';
}

/** The occurrences of the query's words in a page. The lists are filled again when the next page is read. */
export interface PageMatches {
  readonly marks: PageMarks;
  /** The query's words in the body, in reading order. */
  readonly inBody: Occurrences;
  /** The query's words in the headings, in reading order. */
  inHeadings(): Occurrences;
}

/** What a rule did to a score, by the rule's name; 1 changes nothing. */
export type Factors = Readonly<Record<string, number>>;
