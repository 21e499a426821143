import type { Page } from '../../page.ts';
import { normalizeForm } from '../../text/fold.ts';
import { stemTerm } from '../../text/stems.ts';
import { visitTerms } from '../../text/terms.ts';
import { fieldTexts } from '../page-terms.ts';
import { withRoom } from './room.ts';
import { TermTable } from './term-table.ts';

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
    for (const [field, text] of fieldTexts(page).entries()) {
      let length = 0;
      visitTerms(normalizeForm(text), (term) => {
        const at = 4 * this.slotOf(this.table.numberOf(term)) + field;
        this.counts[at] = (this.counts[at] as number) + 1;
        length++;
      });
      this.lengths[field] = length;
    }
    this.addStems(page.lang);
  }

  private addStems(lang: string): void {
    const exactTerms = this.size;
    for (let slot = 0; slot < exactTerms; slot++) {
      const term = this.terms[slot] as number;
      const stem = this.stemOf(term, lang);
      const common = this.commonStems[term];
      if (common === unseen) this.commonStems[term] = stem;
      else if (common !== stem) this.commonStems[term] = noCommonStem;
      if (stem === noCommonStem) continue;
      const stemSlot = this.slotOf(stem - firstStem);
      const { counts } = this;
      for (let field = 0; field < 4; field++) {
        const at = 4 * stemSlot + field;
        counts[at] = (counts[at] as number) + (counts[4 * slot + field] as number);
      }
    }
  }

  private slotOf(term: number): number {
    if (term >= this.slots.length) {
      this.slots = withRoom(this.slots, term + 1);
      this.commonStems = withRoom(this.commonStems, term + 1);
    }
    const known = this.slots[term] as number;
    if (known < this.size && this.terms[known] === term) return known;
    const slot = this.size++;
    this.terms = withRoom(this.terms, this.size);
    this.counts = withRoom(this.counts, 4 * this.size);
    this.terms[slot] = term;
    this.counts.fill(0, 4 * slot, 4 * slot + 4);
    this.slots[term] = slot;
    return slot;
  }

  private stemOf(term: number, lang: string): number {
    let table = this.stemTables.get(lang) ?? new Uint32Array(0);
    const known = table[term] ?? unseen;
    if (known !== unseen) return known;
    const stem = stemTerm(this.table.termAt(term), lang);
    const value = stem === null ? noCommonStem : firstStem + this.table.numberOf(stem);
    if (term >= table.length) {
      if (this.stemTables.size >= maxLanguages) this.stemTables.clear();
      table = withRoom(table, this.table.size);
      this.stemTables.set(lang, table);
    }
    table[term] = value;
    return value;
  }
}
