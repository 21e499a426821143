import { growArray } from '../../../text/grow-array.ts';
import type { PageList } from '../lists/page-list.ts';
import { endOfPosting } from '../marks/positions.ts';
import { RecordWriter } from '../marks/record-bytes.ts';
import { type RenumberedSource, removedPage } from './renumber.ts';

/** Above every index in a list, so that a page number and an index fit into one key. */
const keyUnit = 2 ** 32;

/** Writes merged lists of pages one after the other. Each is made of the lists of one term in several sources. */
export class ListWriter {
  pages: Uint16Array;
  end = 0;
  protected start = 0;
  private keys = new Float64Array(1024);

  constructor(maxPages = 1024) {
    this.pages = new Uint16Array(maxPages);
  }

  /** Appends the living pages of one source's list to the current list. */
  add({ pageNumbers }: RenumberedSource, { pages, start, end }: PageList): void {
    this.pages = growArray(this.pages, this.end + end - start);
    for (let index = start; index < end; index++) {
      const page = pageNumbers[pages[index] as number] as number;
      // A forged list may name pages that do not exist. Their number is undefined, and they are left out too.
      if (page < removedPage) this.pages[this.end++] = page;
    }
  }

  /** Sorts and ends the current list. A list from one source is already in order. */
  sort(sourceCount: number): void {
    if (sourceCount > 1) this.order();
    this.start = this.end;
  }

  /** Sorts the pages of the current list; returns the keys, whose remainders by `keyUnit` are their old indexes. */
  protected order(): Float64Array {
    const { pages, start, end } = this;
    const length = end - start;
    if (this.keys.length < length) this.keys = new Float64Array(2 * length);
    const keys = this.keys.subarray(0, length);
    for (let index = 0; index < length; index++)
      keys[index] = (pages[start + index] as number) * keyUnit + index;
    if (length > 1) keys.sort();
    for (let index = 0; index < length; index++)
      pages[start + index] = Math.floor((keys[index] as number) / keyUnit);
    return keys;
  }
}

/** Writes merged posting lists: pages with impacts and positions. */
export class PostingWriter extends ListWriter {
  readonly impacts: Uint8Array;
  readonly positions = new RecordWriter();
  /** Of each source: where the positions of its next posting begin. */
  private readonly nextPositions: Map<RenumberedSource, number>;
  /** Of each posting of the current list: its impact, and the source and the range of its positions. */
  private ownImpacts = new Uint8Array(1024);
  private ranges = new Uint32Array(2048);
  private readonly bytesOf: Uint8Array[] = [];

  constructor(sources: readonly RenumberedSource[], maxPostings: number) {
    super(maxPostings);
    this.impacts = new Uint8Array(maxPostings);
    this.nextPositions = new Map(sources.map((source) => [source, 0]));
  }

  /**
   * Appends the postings of a term in one source, of which `firstPosting` is the first. The lists of each source have to come in
   * the order of their terms, because their positions are read one by one.
   */
  addPostings(source: RenumberedSource, term: number, firstPosting: number): void {
    const { segment, pageNumbers } = source;
    const { positions } = source.marks;
    const { pages, start, end } = segment.lists.whole({ term, inTitle: false });
    const shift = firstPosting - start;
    let positionsEnd = this.nextPositions.get(source) as number;
    for (let index = start; index < end; index++) {
      const first = positionsEnd;
      positionsEnd = endOfPosting(positions, first);
      const page = pageNumbers[pages[index] as number] as number;
      // As in `ListWriter.add`.
      if (!(page < removedPage)) continue;
      const own = this.end - this.start;
      this.pages[this.end++] = page;
      this.ownImpacts = growArray(this.ownImpacts, own + 1);
      this.ranges = growArray(this.ranges, 2 * own + 2);
      this.ownImpacts[own] = segment.impacts[index + shift] as number;
      this.ranges[2 * own] = first;
      this.ranges[2 * own + 1] = positionsEnd;
      this.bytesOf[own] = positions;
    }
    this.nextPositions.set(source, positionsEnd);
  }

  override sort(sourceCount: number): void {
    const { start, end } = this;
    const keys = sourceCount > 1 ? this.order() : undefined;
    for (let index = 0; index < end - start; index++) {
      const own = keys ? (keys[index] as number) % keyUnit : index;
      this.impacts[start + index] = this.ownImpacts[own] as number;
      const bytes = this.bytesOf[own] as Uint8Array;
      const [first, last] = [this.ranges[2 * own] as number, this.ranges[2 * own + 1] as number];
      // Forged positions may end within a posting. It has none then.
      if (last <= bytes.length) this.positions.append(bytes, first, last);
      else this.positions.byte(0);
    }
    this.start = end;
  }
}
