/** The type of a page for `filetype:`: the detected type, not the URL's extension. */
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

/** A page without its text, as a result list needs it. Times are epoch milliseconds. */
export interface PageHead {
  /** First 16 bytes of SHA-256 of `url`, in 26 characters of Crockford base32; see `store/page-id.ts`. */
  readonly id: string;
  /** Canonical URL. */
  readonly url: string;
  readonly title: string;
  /** Other possible titles, one a line, the most likely first; used when most pages of a host have the same title. */
  readonly otherTitles?: string;
  /** The page's own description, a sentence or two; empty without one. */
  readonly description: string;
  readonly siteName: string | null;
  readonly author: string | null;
  readonly publishedAt: number | null;
  /** The day of publication as the page writes it, `YYYY-MM-DD`; absent where it is that of `publishedAt` in UTC. */
  readonly publishedDay?: string;
  readonly crawledAt: number;
  /** ISO 639-1, or `und` when the language is unknown. */
  readonly lang: string;
  readonly fileType: FileType;
  readonly wordCount: number;
  /** How much of its text stands in links to other pages, 0 to 1; absent if it was not measured when the page was read. */
  readonly linkShare?: number;
  /** The id of the page that says the same and came first; absent for a page that is no copy. */
  readonly copyOf?: string;
  /** Whether it was read with credentials, and so is not for everybody. */
  readonly isPrivate?: boolean;
  /** Of a copy: searches return another page of its host with the same content instead. */
  readonly isHidden?: boolean;
}

/** A page as it is stored and indexed. */
export interface Page extends PageHead {
  /** The headings below the title, one a line, and after them the names that definition lists define. */
  readonly headings: string;
  /** The main text: paragraphs on lines of their own, list items after `- `, code verbatim. */
  readonly body: string;
  /**
   * What the stretches of the body are, encoded (see `text/structure/marks.ts`). It is put with the page, and read by
   * itself; absent for formats that do not tell.
   */
  readonly structure?: string;
}
