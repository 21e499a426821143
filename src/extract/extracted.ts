import type { FileType } from '../page.ts';

export interface Link {
  /** Absolute, http or https, without a fragment. */
  readonly url: string;
  readonly nofollow: boolean;
}

export interface ExtractedPage {
  readonly title: string;
  /** Other possible titles, one a line, the most likely first; see `PageHead`. */
  readonly otherTitles?: string;
  readonly description: string;
  /** One a line, without the title. */
  readonly headings: string;
  /** The main text: paragraphs on lines of their own, list items after `- `, cells after a tab, code verbatim. */
  readonly body: string;
  /** What the stretches of the body are, encoded (see `text/structure/marks.ts`); absent for formats that do not tell. */
  readonly structure?: string;
  /** How much of the text stands in links to other pages, 0 to 1; absent for formats that do not tell. */
  readonly linkShare?: number;
  readonly author: string | null;
  /** Epoch milliseconds; a day without a time is midnight UTC. */
  readonly publishedAt: number | null;
  /** The day of publication as the page writes it, if it is another one than in UTC; see `PageHead`. */
  readonly publishedDay?: string;
  readonly lang: string;
  readonly siteName: string | null;
  /** Word-like segments of `Intl.Segmenter` in the body. */
  readonly wordCount: number;
  readonly fileType: FileType;
  /** Absolute URL from rel=canonical. */
  readonly canonical: string | null;
  /** Absolute URL that a page without a text of its own sends its readers on to; see `forwardTarget`. */
  readonly forwardsTo?: string;
  readonly links: readonly Link[];
  /** Absolute URL of the page as Markdown, which a page that scripts draw names; see `drawn`. */
  readonly markdownUrl?: string;
  /** From `<meta name="robots">` and `<meta name="gleaner">`. */
  readonly robots: { readonly noindex: boolean; readonly nofollow: boolean };
}

/** The name of a page without a text of its own, wherever reasons are shown. */
export const drawnByScripts = 'drawn by scripts';

/** The result of a reader of one format; the extractor adds language and word count, which all formats share. */
export type Reading = Omit<ExtractedPage, 'lang' | 'wordCount'> & {
  readonly declaredLang: string | null;
  /** Scripts draw the page, and it carries no text beside them. */
  readonly isDrawn?: true;
};
