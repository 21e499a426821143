import type { FileType } from '../page.ts';
import type { Word } from '../text/terms.ts';

export type { Word };

/** Words written together: a bare token, or the text between two quotes. */
export interface WordsQuery {
  readonly kind: 'words';
  /** The normalized text, for the phrase and window rules of the ranking. */
  readonly text: string;
  readonly words: readonly Word[];
  readonly quoted: boolean;
  /** The text as typed, to name the words that a page lacks. */
  readonly typed?: string;
  /** Typed with `+`: a page must contain the words. */
  readonly insisted?: true;
  /** In a long query: rank among the bare tokens by rarity, 1 for the rarest. */
  readonly rarityRank?: number;
}

/** The title contains all of `words`. */
export interface TitleQuery {
  readonly kind: 'title';
  readonly text: string;
  readonly words: readonly Word[];
}

/** The page's host is `host` or a subdomain, and its path is `path` or below it at a segment boundary. */
export interface SiteQuery {
  readonly kind: 'site';
  /** Lower case, punycode, no trailing dot. */
  readonly host: string;
  /** Starts with `/` and does not end with one; empty for any path. */
  readonly path: string;
}

/** The page is one of these types; an empty list matches nothing. */
export interface FileTypeQuery {
  readonly kind: 'filetype';
  readonly types: readonly FileType[];
}

/**
 * A query as a tree, independent of syntax. An empty `all` matches every page, an empty `any` none. `not` occurs only
 * directly inside `all`.
 */
export type Query =
  | { readonly kind: 'all'; readonly of: readonly Query[] }
  | { readonly kind: 'any'; readonly of: readonly Query[] }
  /** `isRule`: the operator's, not the query's own. */
  | { readonly kind: 'not'; readonly of: Query; readonly isRule?: true }
  | WordsQuery
  | TitleQuery
  | SiteQuery
  | FileTypeQuery;
