/** What a page is, as far as `filetype:` is concerned: the detected type, not the URL's ending. */
export type FileType =
  | 'html'
  | 'text'
  | 'markdown'
  | 'pdf'
  | 'doc'
  | 'docx'
  | 'odt'
  | 'rtf'
  | 'ppt'
  | 'pptx'
  | 'odp'
  | 'xls'
  | 'xlsx'
  | 'ods'
  | 'epub';

/** Everything about a page but its text: what a result list needs. Times are epoch milliseconds. */
export interface PageHead {
  /** First 16 bytes of SHA-256 of `url`, in 26 characters of Crockford base32; see `store/page-id.ts`. */
  readonly id: string;
  /** Canonical URL. */
  readonly url: string;
  readonly title: string;
  /** What else may be the title, one a line, the likeliest first; for where most pages of a host have the same. */
  readonly otherTitles?: string;
  /** What the page says of itself in a sentence or two; empty when it says nothing. */
  readonly description: string;
  readonly siteName: string | null;
  readonly author: string | null;
  readonly publishedAt: number | null;
  readonly crawledAt: number;
  /** ISO 639-1, or `und` when nothing could be told. */
  readonly lang: string;
  readonly fileType: FileType;
  readonly wordCount: number;
  /** How much of its text stands in links to other pages, 0 to 1; absent where that was not told when it was read. */
  readonly linkShare?: number;
  /** The id of the page that says the same and came first; absent for a page that is no copy. */
  readonly copyOf?: string;
  /** Of a copy: another page of its host says the same and is found in its stead. */
  readonly isHidden?: boolean;
}

/** A page as it is stored and indexed. */
export interface Page extends PageHead {
  /** The headings below the title, one a line. */
  readonly headings: string;
  /** The main text: paragraphs on lines of their own, list items after `- `, code verbatim. */
  readonly body: string;
}
