import type { Page } from '../../page.ts';
import { normalizeForm } from '../../text/fold.ts';
import { stemTerm } from '../../text/stems.ts';
import { visitTerms } from '../../text/terms.ts';
import { fieldTexts } from '../page-terms.ts';
import { withRoom } from './room.ts';
import { markWord, numberWord, TermTable } from './term-table.ts';

/** In `commonStems`: the term was not seen as an exact term. */
export const unseen = 0;
/** In `commonStems`: the term has no stem, or not the same one on all pages. */
export const noCommonStem = 1;
/** What is added to a term's number in `commonStems`. */
export const firstStem = 2;

const maxLanguages = 64;

/**
 * Counts the terms of one page after the other as `countTerms` does, by numbers that stay the same from page to page
 * and with no object for a term or an occurrence.
 */
export class TermCounter {
  /** Every term so far. */
  readonly table = new TermTable();
  /** Of the last page: its distinct terms, the first `size` of them. */
  terms = new Uint32Array(1024);
  /** Of the last page: four counts for each of `terms`, in the order of `fields`. */
  counts = new Uint32Array(4096);
  size = 0;
  /** Of the last page: how many exact terms each field has. */
  readonly lengths: [number, number, number, number] = [0, 0, 0, 0];
  /** By term number: `firstStem` plus the stem that the term has on every page so far. */
  commonStems = new Uint32Array(1024);
  /** By term number: where it stands in `terms`, if it does. */
  private slots = new Uint32Array(1024);
  /** By language, then by term number: as in `commonStems`. */
  private readonly stemTables = new Map<string, Uint32Array>();

  count(page: Page): void {
    this.size = 0;
    for (const [field, text] of fieldTexts(page).entries()) this.countField(field, text);
    this.addStems(page.lang);
  }

  private countField(field: number, text: string): void {
    const { table } = this;
    let length = 0;
    visitTerms(normalizeForm(text), (term) => {
      length++;
      const entry = table.entryOf(term);
      const number = (table.entries[entry + numberWord] as number) - 1;
      let slot = table.entries[entry + markWord] as number;
      if (slot >= this.size || this.terms[slot] !== number) {
        slot = this.addSlot(number);
        table.entries[entry + markWord] = slot;
      }
      const at = 4 * slot + field;
      this.counts[at] = (this.counts[at] as number) + 1;
    });
    this.lengths[field] = length;
  }

  private addStems(lang: string): void {
    const { table } = this;
    let stems = this.stemTables.get(lang) ?? new Uint32Array(1024);
    const exactTerms = this.size;
    for (let slot = 0; slot < exactTerms; slot++) {
      const term = this.terms[slot] as number;
      let stem = term < stems.length ? (stems[term] as number) : unseen;
      if (stem === unseen) {
        const text = stemTerm(table.termAt(term), lang);
        stem = text === null ? noCommonStem : firstStem + table.numberOf(text);
        stems = withRoom(stems, term + 1);
        stems[term] = stem;
      }
      const common = this.commonStems[term];
      if (common !== stem) this.commonStems[term] = common === unseen ? stem : noCommonStem;
      if (stem !== noCommonStem) this.addCounts(slot, stem - firstStem);
    }
    if (!this.stemTables.has(lang) && this.stemTables.size >= maxLanguages) this.stemTables.clear();
    this.stemTables.set(lang, stems);
  }

  /** Adds to a term's counts those of another. */
  private addCounts(from: number, term: number): void {
    let slot = term < this.slots.length ? (this.slots[term] as number) : this.size;
    if (slot >= this.size || this.terms[slot] !== term) slot = this.addSlot(term);
    const { counts } = this;
    for (let field = 0; field < 4; field++) {
      const at = 4 * slot + field;
      counts[at] = (counts[at] as number) + (counts[4 * from + field] as number);
    }
  }

  private addSlot(term: number): number {
    const slot = this.size++;
    if (this.terms.length < this.size) {
      this.terms = withRoom(this.terms, this.size);
      this.counts = withRoom(this.counts, 4 * this.terms.length);
    }
    if (this.slots.length <= term) {
      this.slots = withRoom(this.slots, term + 1);
      this.commonStems = withRoom(this.commonStems, term + 1);
    }
    this.terms[slot] = term;
    this.slots[term] = slot;
    for (let field = 0; field < 4; field++) this.counts[4 * slot + field] = 0;
    return slot;
  }
}
