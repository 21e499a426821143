import { DecodedPages } from './lists/decoded-pages.ts';

/** Candidates of one block: enough for tight loops, few enough for the first-level cache. */
export const blockSize = 1024;

/** Page numbers whose sums are made at a time: most blocks of lists are within, and the sums stay in the second-level cache. */
export const stretchPages = 16_384;

/** Supplies the candidates of a search, one block at a time. */
export interface BlockSource {
  /** Replaces the content of the block by the next candidates with their scores; none at the end. */
  fill(block: Block): void;
}

/** Candidates of a search in ascending order, with their scores so far. */
export class Block {
  size = 0;
  readonly pages = new Uint16Array(blockSize);
  readonly scores = new Float64Array(blockSize);
  /** The impact of each candidate in the last posting list that was read; 0 if the page is not in it. */
  readonly impacts = new Uint8Array(blockSize);
  /** The same over several lists: not 0 if the page is in one of them. */
  readonly anyImpacts = new Uint8Array(blockSize);
  /** A table by page number that posting lists are written to; all 0 between uses. */
  readonly byPage = new Uint8Array(65_536);

  /** The stretch of page numbers that a union is at, as `PageSums` has it. */
  readonly marks = new Uint32Array(stretchPages / 32);
  readonly sums = new Float64Array(stretchPages);
  /** The page numbers of the lists of a search, as far as they were decoded. */
  readonly decoded = new DecodedPages();

  add(page: number): void {
    this.pages[this.size] = page;
    this.scores[this.size++] = 0;
  }

  /** Removes the candidates that fail a test. */
  filter(test: (page: number) => boolean): void {
    const { pages, scores, size } = this;
    let keptCount = 0;
    for (let index = 0; index < size; index++) {
      const page = pages[index] as number;
      if (!test(page)) continue;
      pages[keptCount] = page;
      scores[keptCount++] = scores[index] as number;
    }
    this.size = keptCount;
  }

  /** Keeps the candidates whose flag is set (not 0) or, with `isSet` false, the others. */
  keep(flags: Uint8Array, isSet: boolean): void {
    const { pages, scores, size } = this;
    let keptCount = 0;
    for (let index = 0; index < size; index++) {
      // Always written, and counted only if kept: a branch here would be mispredicted half of the time.
      pages[keptCount] = pages[index] as number;
      scores[keptCount] = scores[index] as number;
      keptCount += (flags[index] !== 0) === isSet ? 1 : 0;
    }
    this.size = keptCount;
  }

  /** Removes the candidates with a lower score. */
  prune(minScore: number): void {
    const { pages, scores, size } = this;
    let keptCount = 0;
    for (let index = 0; index < size; index++) {
      const score = scores[index] as number;
      pages[keptCount] = pages[index] as number;
      scores[keptCount] = score;
      keptCount += score < minScore ? 0 : 1;
    }
    this.size = keptCount;
  }

  /** Adds the candidates of the last list to `anyImpacts`. */
  mergeImpacts(): void {
    const { impacts, anyImpacts, size } = this;
    for (let index = 0; index < size; index++)
      anyImpacts[index] = (anyImpacts[index] as number) | (impacts[index] as number);
  }

  /** Adds `impacts`, times a weight, to the scores. */
  addImpacts(weight: number): void {
    if (weight === 0) return;
    const { scores, impacts, size } = this;
    for (let index = 0; index < size; index++) {
      scores[index] = (scores[index] as number) + weight * (impacts[index] as number);
    }
  }
}

/** Working memory of the searches of a thread. Each searches one segment to its end without a pause, so one is enough. */
export const searchBlock = new Block();
