import type { TermTable } from './build/term-table.ts';
import { finish } from './term-bytes.ts';

/** Ends the key of a single character, which no two neighbours have: no run holds a NUL. */
const alone = 0;

/** The term numbers of single characters and of two neighbours in a run, found without a string for each. */
export class BigramTable {
  private readonly table: TermTable;
  private size = 0;
  /** Key and number plus one, side by side; a number of 0 marks a free entry. */
  private entries = new Uint32Array(2 << 12);

  constructor(table: TermTable) {
    this.table = table;
  }

  /** The number of the one or two UTF-16 units at a place of a run; each of them must be a character. */
  numberAt(run: string, offset: number, length: 1 | 2): number {
    const key = ((run.charCodeAt(offset) << 16) | (length === 1 ? alone : run.charCodeAt(offset + 1))) >>> 0;
    const entry = entryFor(this.entries, key);
    const known = this.entries[entry + 1] as number;
    if (known !== 0) return known - 1;
    const number = this.table.numberOf(run.slice(offset, offset + length));
    this.entries[entry] = key;
    this.entries[entry + 1] = number + 1;
    if (++this.size * 4 > this.entries.length) this.grow();
    return number;
  }

  /** Doubles the table, which is never more than half full. */
  private grow(): void {
    const old = this.entries;
    this.entries = new Uint32Array(old.length * 2);
    for (let index = 0; index < old.length; index += 2) {
      if (old[index + 1] !== 0)
        this.entries.set(old.subarray(index, index + 2), entryFor(this.entries, old[index] as number));
    }
  }
}

/** Where a key is, or the free entry where it belongs. */
function entryFor(entries: Uint32Array, key: number): number {
  const mask = entries.length - 1;
  let entry = (finish(key) << 1) & mask;
  while (entries[entry + 1] !== 0 && entries[entry] !== key) entry = (entry + 2) & mask;
  return entry;
}
