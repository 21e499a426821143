import { finish } from '../../term-bytes.ts';
import { type EntryLayout, firstEntry, freeEntry, growTable } from './hash-table.ts';
import type { TermTable } from './term-table.ts';

const width = 2;
/** The term's number plus one. */
const numberWord = 1;
const layout: EntryLayout = { width, usedWord: numberWord };

/** Stands for the second unit in the key of a single character. No run holds a NUL. */
const alone = 0;

/** The term numbers of single characters and of bigrams in a run. A look-up makes no string. */
export class BigramTable {
  private readonly table: TermTable;
  private size = 0;
  private entries = new Uint32Array(width << 12);

  constructor(table: TermTable) {
    this.table = table;
  }

  /** The number of the one or two UTF-16 units at an offset of a run; each of them must be a character. */
  numberAt(run: string, offset: number, length: 1 | 2): number {
    const key = (run.charCodeAt(offset) << 16) | (length === 1 ? alone : run.charCodeAt(offset + 1));
    // The hash stands for its key: no two keys of 32 bits have the same one.
    const hash = finish(key);
    const number = this.find(hash);
    if (number >= 0) return number;
    return this.add(hash, this.table.numberOf(run.slice(offset, offset + length)));
  }

  private find(hash: number): number {
    const { entries } = this;
    const mask = entries.length - 1;
    let entry = firstEntry(entries, width, hash);
    while (entries[entry] !== hash && entries[entry + numberWord] !== 0) entry = (entry + width) & mask;
    return (entries[entry + numberWord] as number) - 1;
  }

  private add(hash: number, number: number): number {
    this.entries = growTable(this.entries, layout, ++this.size);
    const entry = freeEntry(this.entries, layout, hash);
    this.entries[entry] = hash;
    this.entries[entry + numberWord] = number + 1;
    return number;
  }
}
