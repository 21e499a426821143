import type { FileType } from '../page.ts';
import type { Word } from '../text/terms.ts';

export type { Word };

/** Words that stood together in the query: a bare token, or all that was between two quotes. */
export interface WordsQuery {
  readonly kind: 'words';
  /** The normalised text, for the phrase and window rules of the ranking. */
  readonly text: string;
  readonly words: readonly Word[];
  readonly quoted: boolean;
  /** The text as it was typed, for saying which words a page lacks. */
  readonly typed?: string;
  /** Typed with `+`: no page without the words is of any use. */
  readonly insisted?: true;
  /** Of a long query: its place among the bare tokens by how much they tell, 1 for the most. */
  readonly rarityRank?: number;
}

/** Every one of `words` stands in the title. */
export interface TitleQuery {
  readonly kind: 'title';
  readonly text: string;
  readonly words: readonly Word[];
}

/** The page's host is `host` or below it, and its path is `path` or below it at a segment border. */
export interface SiteQuery {
  readonly kind: 'site';
  /** Lower case, punycode, no trailing dot. */
  readonly host: string;
  /** Starts with `/` and does not end with one; empty when any path will do. */
  readonly path: string;
}

/** The page is one of these types; an empty list matches nothing. */
export interface FileTypeQuery {
  readonly kind: 'filetype';
  readonly types: readonly FileType[];
}

/**
 * What a query asks for, with no trace of its syntax. `all` of nothing matches every page, `any` of nothing
 * matches none. `not` stands only directly inside `all`.
 */
export type Query =
  | { readonly kind: 'all'; readonly of: readonly Query[] }
  | { readonly kind: 'any'; readonly of: readonly Query[] }
  | { readonly kind: 'not'; readonly of: Query }
  | WordsQuery
  | TitleQuery
  | SiteQuery
  | FileTypeQuery;
