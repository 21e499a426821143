import { growArray } from '../../../text/grow-array.ts';
import type { NormalForm } from '../../../text/normal-form.ts';

/**
 * Where the exact terms of one page stand, in the order of the text and then by term. Terms have the slots that
 * `TermCounter` gives them; `2 * slot` is the list of a term's positions in the headings, the next one that in the body.
 */
export class PositionLog {
  /** The occurrences, sorted by their lists once `sort` has been called. */
  starts = new Uint32Array(1024);
  ends = new Uint32Array(1024);
  private size = 0;
  private lists = new Uint32Array(1024);
  private readStarts = new Uint32Array(1024);
  private readEnds = new Uint32Array(1024);
  private listEnds = new Uint32Array(2048);

  clear(): void {
    this.size = 0;
  }

  /** Adds an occurrence of which `sort` does not know yet. */
  add(list: number, start: number, end: number): void {
    const index = this.size++;
    if (index === this.lists.length) {
      this.lists = growArray(this.lists, this.size);
      this.readStarts = growArray(this.readStarts, this.size);
      this.readEnds = growArray(this.readEnds, this.size);
    }
    this.lists[index] = list;
    this.readStarts[index] = start;
    this.readEnds[index] = end;
  }

  /** Returns a function that maps the occurrences from now on from a normal form to its text. */
  mark(): (form: NormalForm) => void {
    const first = this.size;
    return ({ startOf, endOf }) => {
      for (let index = first; index < this.size; index++) {
        this.readStarts[index] = startOf(this.readStarts[index] as number);
        this.readEnds[index] = endOf(this.readEnds[index] as number);
      }
    };
  }

  /** Sorts the occurrences by their lists; `listCount` is the number of lists. Within a list they keep the order of the text. */
  sort(listCount: number): void {
    const { size, lists, readStarts, readEnds } = this;
    this.listEnds = growArray(this.listEnds, listCount);
    this.starts = growArray(this.starts, size);
    this.ends = growArray(this.ends, size);
    const { listEnds, starts, ends } = this;
    listEnds.fill(0, 0, listCount);
    for (let index = 0; index < size; index++) {
      const list = lists[index] as number;
      listEnds[list] = (listEnds[list] as number) + 1;
    }
    let total = 0;
    for (let list = 0; list < listCount; list++) {
      const count = listEnds[list] as number;
      listEnds[list] = total;
      total += count;
    }
    // Each list's start becomes its end while it is filled.
    for (let index = 0; index < size; index++) {
      const list = lists[index] as number;
      const to = listEnds[list] as number;
      listEnds[list] = to + 1;
      starts[to] = readStarts[index] as number;
      ends[to] = readEnds[index] as number;
    }
  }

  /** The index of the first occurrence of a list after `sort`. */
  startOf(list: number): number {
    return list === 0 ? 0 : (this.listEnds[list - 1] as number);
  }

  endOf(list: number): number {
    return this.listEnds[list] as number;
  }
}
