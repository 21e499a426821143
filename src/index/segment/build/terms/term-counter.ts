import type { Page } from '../../../../page.ts';
import { hasWideCharacters, visitCjkTerms } from '../../../../text/cjk.ts';
import { foldWord, normalizeForm } from '../../../../text/fold.ts';
import { growArray } from '../../../../text/grow-array.ts';
import { alignNormalForm } from '../../../../text/normal-form.ts';
import type { Stretch } from '../../../../text/passages/sentences.ts';
import { segmentsOf } from '../../../../text/segments.ts';
import { stemMark, stemmedLanguage, stemOf } from '../../../../text/stems.ts';
import { chunkTerms, maxWordLength } from '../../../../text/terms.ts';
import { createUnitsOf, type TakeWord, tokenize, type VisitChunk } from '../../../../text/tokenizer.ts';
import { fieldTexts } from '../../../page-terms.ts';
import { maxPositions } from '../../marks/positions.ts';
import { PositionLog } from '../position-log.ts';
import { noSlot, type PageSlots } from '../position-writer.ts';
import { AsciiWords } from './ascii-words.ts';
import { BigramTable } from './bigram-table.ts';
import { ChunkMemo, termWords } from './chunk-memo.ts';
import { notShort, ShortWords } from './short-words.ts';
import { TermTable } from './term-table.ts';

/** In `commonStems`: the term was not seen as an exact term. */
const unseen = 0;
/** In `commonStems`: the term has no stem, or not the same one on all pages. */
const noCommonStem = 1;
/** What is added to a term's number in `commonStems`. */
export const firstStem = 2;

/** For each field: the list of a slot's positions in it after `2 * slot`; `noList` if no positions are kept. */
const noList = 2;
const positionLists = [noList, 0, noList, 1] as const;

/**
 * Counts the terms of one page after the other with the same result as `countTerms`, and finds where they stand in the
 * headings and the body, as `findTerms` does. Terms have numbers that stay the same from page to page, and no object is
 * created for a term or an occurrence.
 */
export class TermCounter implements PageSlots {
  /** All terms so far. */
  readonly table = new TermTable();
  private readonly shortWords = new ShortWords(this.table);
  private readonly words = new ChunkMemo();
  private readonly asciiWords = new AsciiWords(this.table, this.words);
  private readonly unitsOf = createUnitsOf();
  private readonly bigrams = new BigramTable(this.table);
  /** The distinct terms of the last page: the first `size` items. */
  terms = new Uint32Array(1024);
  /** For each of `terms`: its counts in the four fields of the last page, in the order of `fields`. */
  counts = new Uint32Array(4096);
  size = 0;
  /** The first of `terms` are exact terms, the others stems. */
  exactTerms = 0;
  stemSlots = new Uint32Array(1024);
  readonly positions = new PositionLog();
  /** The number of exact terms in each field of the last page. */
  readonly lengths: [number, number, number, number] = [0, 0, 0, 0];
  /** By term number: `firstStem` plus the stem that the term has on all pages so far. */
  commonStems = new Uint32Array(1024);
  /** By term number: its index in `terms`, if it is there. */
  private slots = new Uint32Array(1024);
  /** By language, then by term number: as in `commonStems`. */
  private readonly stemTables = new Map<string, Uint32Array>();

  count(page: Page): void {
    this.countExact(page);
    this.addStems(page.lang);
  }

  /** As `count`, without the stems. */
  countExact(page: Page): void {
    this.size = 0;
    this.positions.clear();
    for (const [field, text] of fieldTexts(page).entries()) this.countField(field, text);
  }

  lengthAt(slot: number): number {
    const length = this.table.lengths[this.terms[slot] as number] as number;
    return slot < this.exactTerms ? length : length - stemMark.length;
  }

  private countField(field: number, text: string): void {
    const { table, words, shortWords } = this;
    const normal = normalizeForm(text);
    const align = this.positions.mark();
    this.lengths[field] = 0;
    const units = this.unitsOf(normal);
    const visit: VisitChunk = (kind, start, end) => {
      if (kind === 'cjk') this.countRun(field, normal.slice(start, end), start);
      else if (kind === 'spaceless') {
        for (const { segment, index } of segmentsOf(normal.slice(start, end))) {
          const from = start + index;
          this.countTerm(field, table.numberOf(foldWord(segment)), from, from + segment.length);
        }
      } else {
        const last = Math.min(end, start + maxWordLength);
        let value = words.find(units, start, last);
        if (value === 0) value = this.addWord(kind, normal, units, { start, end: last });
        if (value > 0) this.countTerm(field, value - 1, start, last);
        else this.countList(field, ~value, start);
      }
    };
    const takeWord: TakeWord = (start) => {
      const entry = shortWords.entryAt(normal, units, start);
      if (entry === notShort) return 0;
      const { end } = shortWords;
      this.countSlot(field, this.slotOfShort(entry), start, end);
      return end;
    };
    tokenize(normal, visit, units, takeWord);
    if (normal !== text && positionLists[field] !== noList) align(alignNormalForm(text, normal));
  }

  /** Adds a new word to the memo; returns its value there. */
  private addWord(
    kind: 'plain' | 'compound' | 'symbol',
    text: string,
    units: Uint16Array,
    word: Stretch,
  ): number {
    const { words, table } = this;
    if (kind !== 'compound' || !this.asciiWords.list(units, word.start, word.end)) {
      for (const { term, start, end } of chunkTerms(kind, text.slice(word.start, word.end)))
        words.push(table.numberOf(term), start, end);
    }
    return words.add(units, word);
  }

  /** Counts the terms of a word in `lists`. */
  private countList(field: number, list: number, start: number): void {
    const { lists } = this.words;
    const last = list + termWords * (lists[list] as number);
    for (let index = list + 1; index <= last; index += termWords) {
      const from = start + (lists[index + 1] as number);
      this.countTerm(field, lists[index] as number, from, start + (lists[index + 2] as number));
    }
  }

  private countRun(field: number, run: string, start: number): void {
    const { bigrams } = this;
    if (hasWideCharacters(run)) {
      visitCjkTerms(run, (term, from, to) =>
        this.countTerm(field, this.table.numberOf(term), start + from, start + to),
      );
      return;
    }
    const last = run.length - 1;
    for (let index = 0; index <= last; index++) {
      const from = start + index;
      this.countTerm(field, bigrams.numberAt(run, index, 1), from, from + 1);
      if (index < last) this.countTerm(field, bigrams.numberAt(run, index, 2), from, from + 2);
    }
  }

  private countTerm(field: number, term: number, start: number, end: number): void {
    this.countSlot(field, this.slotOf(term), start, end);
  }

  private countSlot(field: number, slot: number, start: number, end: number): void {
    (this.lengths[field] as number)++;
    const counterIndex = 4 * slot + field;
    const count = this.counts[counterIndex] as number;
    this.counts[counterIndex] = count + 1;
    const list = positionLists[field] as number;
    if (list !== noList && count < maxPositions) this.positions.add(2 * slot + list, start, end);
  }

  private addStems(pageLang: string): void {
    const { table } = this;
    const lang = stemmedLanguage(pageLang);
    let stems = this.stemTables.get(lang) ?? new Uint32Array(1024);
    const exactTerms = this.size;
    this.exactTerms = exactTerms;
    this.stemSlots = growArray(this.stemSlots, exactTerms);
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
      this.stemSlots[slot] = stem === noCommonStem ? noSlot : this.addCounts(slot, stem - firstStem);
    }
    this.stemTables.set(lang, stems);
  }

  /** Adds the counts in slot `from` to those of a term; returns the term's slot. */
  private addCounts(from: number, term: number): number {
    const slot = this.slotOf(term);
    const { counts } = this;
    for (let field = 0; field < 4; field++) {
      const counterIndex = 4 * slot + field;
      counts[counterIndex] = (counts[counterIndex] as number) + (counts[4 * from + field] as number);
    }
    return slot;
  }

  /** As `slotOf`. The slot is kept with the entry, so that most words of a text need no other table. */
  private slotOfShort(entry: number): number {
    const { shortWords } = this;
    const term = shortWords.numberAt(entry);
    const known = shortWords.slotAt(entry);
    if (known < this.size && this.terms[known] === term) return known;
    const slot = this.slotOf(term);
    shortWords.setSlot(entry, slot);
    return slot;
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
