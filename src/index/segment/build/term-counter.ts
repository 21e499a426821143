import type { Page } from '../../../page.ts';
import { hasWideCharacters, visitCjkTerms } from '../../../text/cjk.ts';
import { normalizeForm } from '../../../text/fold.ts';
import { stemmedLanguage, stemOf } from '../../../text/stems.ts';
import { chunkTerms, maxWordLength, spacelessTerms } from '../../../text/terms.ts';
import { createUnitsOf, tokenize, type VisitChunk } from '../../../text/tokenizer.ts';
import { fieldTexts } from '../../page-terms.ts';
import { growArray } from '../grow-array.ts';
import { BigramTable } from './bigram-table.ts';
import { ChunkMemo } from './chunk-memo.ts';
import { TermTable } from './term-table.ts';

/** In `commonStems`: the term was not seen as an exact term. */
const unseen = 0;
/** In `commonStems`: the term has no stem, or not the same one on all pages. */
const noCommonStem = 1;
/** What is added to a term's number in `commonStems`. */
export const firstStem = 2;

/**
 * Counts the terms of one page after the other with the same result as `countTerms`. Terms have numbers that stay the same
 * from page to page, and no object is created for a term or an occurrence.
 */
export class TermCounter {
  /** All terms so far. */
  readonly table = new TermTable();
  private readonly words = new ChunkMemo();
  private readonly unitsOf = createUnitsOf();
  private readonly bigrams = new BigramTable(this.table);
  /** The distinct terms of the last page: the first `size` items. */
  terms = new Uint32Array(1024);
  /** For each of `terms`: its counts in the four fields of the last page, in the order of `fields`. */
  counts = new Uint32Array(4096);
  size = 0;
  /** The number of exact terms in each field of the last page. */
  readonly lengths: [number, number, number, number] = [0, 0, 0, 0];
  /** By term number: `firstStem` plus the stem that the term has on all pages so far. */
  commonStems = new Uint32Array(1024);
  /** By term number: its index in `terms`, if it is there. */
  private slots = new Uint32Array(1024);
  /** By language, then by term number: as in `commonStems`. */
  private readonly stemTables = new Map<string, Uint32Array>();

  count(page: Page): void {
    this.size = 0;
    for (const [field, text] of fieldTexts(page).entries()) this.countField(field, text);
    this.addStems(page.lang);
  }

  private countField(field: number, text: string): void {
    const { table, words } = this;
    const normal = normalizeForm(text);
    this.lengths[field] = 0;
    const units = this.unitsOf(normal);
    const visit: VisitChunk = (kind, start, end) => {
      if (kind === 'cjk') this.countRun(field, normal.slice(start, end));
      else if (kind === 'spaceless') {
        for (const term of spacelessTerms(normal.slice(start, end)))
          this.countTerm(field, table.numberOf(term));
      } else {
        const last = Math.min(end, start + maxWordLength);
        let value = words.find(units, start, last);
        if (value === 0) {
          const terms = chunkTerms(kind, normal.slice(start, last)).map((term) => table.numberOf(term));
          value = words.add(units, start, last, terms);
        }
        if (value > 0) this.countTerm(field, value - 1);
        else this.countList(field, ~value);
      }
    };
    tokenize(normal, visit, units);
  }

  /** Counts the terms of a word in `lists`. */
  private countList(field: number, list: number): void {
    const { lists } = this.words;
    const last = list + (lists[list] as number);
    for (let index = list + 1; index <= last; index++) this.countTerm(field, lists[index] as number);
  }

  private countRun(field: number, run: string): void {
    const { bigrams } = this;
    if (hasWideCharacters(run)) {
      visitCjkTerms(run, (term) => this.countTerm(field, this.table.numberOf(term)));
      return;
    }
    const last = run.length - 1;
    for (let index = 0; index <= last; index++) {
      this.countTerm(field, bigrams.numberAt(run, index, 1));
      if (index < last) this.countTerm(field, bigrams.numberAt(run, index, 2));
    }
  }

  private countTerm(field: number, term: number): void {
    (this.lengths[field] as number)++;
    const counterIndex = 4 * this.slotOf(term) + field;
    this.counts[counterIndex] = (this.counts[counterIndex] as number) + 1;
  }

  private addStems(pageLang: string): void {
    const { table } = this;
    const lang = stemmedLanguage(pageLang);
    let stems = this.stemTables.get(lang) ?? new Uint32Array(1024);
    const exactTerms = this.size;
    for (let slot = 0; slot < exactTerms; slot++) {
      const term = this.terms[slot] as number;
      let stem = term < stems.length ? (stems[term] as number) : unseen;
      if (stem === unseen) {
        const text = stemOf(table.termAt(term), lang);
        stem = text === null ? noCommonStem : firstStem + table.numberOf(text);
        stems = growArray(stems, term + 1);
        stems[term] = stem;
      }
      const common = this.commonStems[term];
      if (common !== stem) this.commonStems[term] = common === unseen ? stem : noCommonStem;
      if (stem !== noCommonStem) this.addCounts(slot, stem - firstStem);
    }
    this.stemTables.set(lang, stems);
  }

  /** Adds the counts in slot `from` to those of a term. */
  private addCounts(from: number, term: number): void {
    const slot = this.slotOf(term);
    const { counts } = this;
    for (let field = 0; field < 4; field++) {
      const counterIndex = 4 * slot + field;
      counts[counterIndex] = (counts[counterIndex] as number) + (counts[4 * from + field] as number);
    }
  }

  private slotOf(term: number): number {
    const slot = term < this.slots.length ? (this.slots[term] as number) : this.size;
    return slot < this.size && this.terms[slot] === term ? slot : this.addSlot(term);
  }

  private addSlot(term: number): number {
    const slot = this.size++;
    if (this.terms.length < this.size) {
      this.terms = growArray(this.terms, this.size);
      this.counts = growArray(this.counts, 4 * this.terms.length);
    }
    if (this.slots.length <= term) {
      this.slots = growArray(this.slots, term + 1);
      this.commonStems = growArray(this.commonStems, term + 1);
    }
    this.terms[slot] = term;
    this.slots[term] = slot;
    for (let field = 0; field < 4; field++) this.counts[4 * slot + field] = 0;
    return slot;
  }
}
