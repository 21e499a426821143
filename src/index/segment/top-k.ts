import type { IndexHit } from '../page-index.ts';

/** Where the page numbers that a `TopK` is offered come from. */
export interface HitSource {
  idOf(page: number): string;
}

/** The best `limit` of all hits offered: by score, then newer crawl, then id. Takes memory for `limit` hits. */
export class TopK {
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Numbers of one source must be in the order of its ids. */
  offer(_score: number, _crawledAt: number, _source: HitSource, _page: number): void {
    throw new Error('not there yet');
  }

  /** Best first. */
  hits(): IndexHit[] {
    throw new Error('not there yet');
  }
}
