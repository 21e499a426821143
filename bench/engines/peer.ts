import type { Page } from '../../src/page.ts';
import type { PageTerms } from './corpus-files.ts';
import type { BenchQuery } from './term-query.ts';

/** How an engine's index is filled; it lies in files under the folder once `finish` is done. */
export interface Builder<Input> {
  /** Numbers of the pages run on from one batch to the next. */
  add(batch: readonly Input[]): void | Promise<void>;
  finish(): void | Promise<void>;
}

export interface Found {
  /** How many pages match, exactly. */
  readonly total: number;
  /** The ten best. */
  readonly best: readonly unknown[];
}

export type Ask = (query: BenchQuery) => Found | Promise<Found>;

/** An engine under measurement, as each file of this folder exports it. */
export interface Peer {
  /** What its builder is given: pages to analyse, or terms that only have to be split at spaces. */
  readonly build:
    | { readonly from: 'pages'; create(folder: string): Promise<Builder<Page>> }
    | { readonly from: 'terms'; create(folder: string): Promise<Builder<PageTerms>> };
  open(folder: string): Promise<Ask>;
}

/** How many results are asked for. */
export const wanted = 10;
