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
  readonly found = new Uint8Array(blockSize);
  /** The same of several lists together: not 0 where one of them holds the page. */
  readonly foundInAny = new Uint8Array(blockSize);
  /** By page number, for posting lists to write themselves into; all 0 between uses. */
  readonly byPage = new Uint8Array(65_536);

  add(page: number): void {
    this.pages[this.size] = page;
    this.scores[this.size++] = 0;
  }

  /** Keeps the candidates that pass a test. */
  filter(test: (page: number) => boolean): void {
    const { pages, scores, size } = this;
    let kept = 0;
    for (let at = 0; at < size; at++) {
      const page = pages[at] as number;
      if (!test(page)) continue;
      pages[kept] = page;
      scores[kept++] = scores[at] as number;
    }
    this.size = kept;
  }

  /** Keeps the candidates for which `found` is not 0, or with `wanted` false the others. */
  keep(found: Uint8Array, wanted: boolean): void {
    const { pages, scores, size } = this;
    let kept = 0;
    for (let at = 0; at < size; at++) {
      // Written always and counted when wanted: a branch here would be guessed wrong half of the time.
      pages[kept] = pages[at] as number;
      scores[kept] = scores[at] as number;
      kept += (found[at] !== 0) === wanted ? 1 : 0;
    }
    this.size = kept;
  }

  /** Keeps the candidates with at least this score. */
  prune(least: number): void {
    const { pages, scores, size } = this;
    let kept = 0;
    for (let at = 0; at < size; at++) {
      const score = scores[at] as number;
      pages[kept] = pages[at] as number;
      scores[kept] = score;
      kept += score < least ? 0 : 1;
    }
    this.size = kept;
  }

  mergeFound(): void {
    const { found, foundInAny, size } = this;
    for (let at = 0; at < size; at++) foundInAny[at] = (foundInAny[at] as number) | (found[at] as number);
  }

  /** Adds to every score what was found, times a weight. */
  addFound(weight: number): void {
    if (weight === 0) return;
    const { scores, found, size } = this;
    for (let at = 0; at < size; at++) {
      scores[at] = (scores[at] as number) + weight * (found[at] as number);
    }
  }
}
