import { blockPostings } from './packed-block.ts';

/** Maximum page numbers in the memory that is kept. When it is full, later lists get new memory. */
const maxKept = 2 ** 18;

/** Working memory for the page numbers of lists that are decoded. Lists keep what they took, until it is cleared. */
export class DecodedPages {
  private pages = new Uint16Array(0);
  private end = 0;

  /** All that was taken may be overwritten from now on. */
  clear(): void {
    this.end = 0;
  }

  /** Room for `count` page numbers and for the rest of a block, from `start` on. */
  take(count: number): { readonly pages: Uint16Array; readonly start: number } {
    const size = Math.ceil(count / blockPostings) * blockPostings;
    if (this.end + size > this.pages.length) {
      const doubled = Math.min(2 * this.pages.length, maxKept);
      this.pages = new Uint16Array(Math.max(size, doubled, 8192));
      this.end = 0;
    }
    const start = this.end;
    this.end += size;
    return { pages: this.pages, start };
  }
}
