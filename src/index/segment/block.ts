/** So many candidates go through a search together: enough for tight loops, few enough for the first-level cache. */
export const blockSize = 1024;

/** Where a search gets its candidates from, a block at a time. */
export interface BlockSource {
  /** Puts the next candidates into the block, with their scores, in place of what is there; none at the end. */
  fill(block: Block): void;
}

/** Candidates of a search, ascending, with the scores that they have so far. */
export class Block {
  size = 0;
  readonly pages = new Uint16Array(blockSize);
  readonly scores = new Float64Array(blockSize);
  /** What a posting list has for each candidate: its impact, or 0 where it does not hold the page. */
  readonly impacts = new Uint8Array(blockSize);
  /** The same of several lists together: not 0 where one of them holds the page. */
  readonly anyImpacts = new Uint8Array(blockSize);
  /** By page number, for posting lists to write themselves into; all 0 between uses. */
  readonly byPage = new Uint8Array(65_536);

  add(page: number): void {
    this.pages[this.size] = page;
    this.scores[this.size++] = 0;
  }

  /** Keeps the candidates that pass a test. */
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

  /** Keeps the candidates for which `found` is not 0, or with `wanted` false the others. */
  keep(flags: Uint8Array, isSet: boolean): void {
    const { pages, scores, size } = this;
    let keptCount = 0;
    for (let index = 0; index < size; index++) {
      // Written always and counted when wanted: a branch here would be guessed wrong half of the time.
      pages[keptCount] = pages[index] as number;
      scores[keptCount] = scores[index] as number;
      keptCount += (flags[index] !== 0) === isSet ? 1 : 0;
    }
    this.size = keptCount;
  }

  /** Keeps the candidates with at least this score. */
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

  mergeImpacts(): void {
    const { impacts, anyImpacts, size } = this;
    for (let index = 0; index < size; index++)
      anyImpacts[index] = (anyImpacts[index] as number) | (impacts[index] as number);
  }

  /** Adds to every score what was found, times a weight. */
  addImpacts(weight: number): void {
    if (weight === 0) return;
    const { scores, impacts, size } = this;
    for (let index = 0; index < size; index++) {
      scores[index] = (scores[index] as number) + weight * (impacts[index] as number);
    }
  }
}
