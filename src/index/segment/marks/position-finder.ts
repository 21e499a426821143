import { chooseOccurrences, type WordRange } from '../../../text/occurrences/choose-occurrences.ts';
import { readsBefore, type TermWeights } from '../../../text/occurrences/find-terms.ts';
import { Occurrences, type WordForm, wordNumbers } from '../../../text/occurrences/occurrences.ts';
import { stemMark, stemmedLanguage, stemTerm } from '../../../text/stems.ts';
import type { MarkedField, OccurrenceLimits } from '../../page-marks.ts';
import type { MarkSections } from '../format.ts';
import type { ListPages } from '../lists/list-pages.ts';
import { PositionReader } from './positions.ts';

/** A term of a query in a segment. */
interface PlannedTerm {
  readonly form: WordForm;
  /** The number of the term in the segment. */
  readonly term: number;
  /** The length of its occurrences, unless positions say another one. */
  readonly length: number;
  /** Its index among the terms of the plan. */
  readonly slot: number;
}

/** What `FoundTerm` calls a word, with its terms in the segment. Without a stem it mostly has one form. */
interface PlannedWord {
  /** The stem that is a term of the query. */
  stem: PlannedTerm | undefined;
  readonly forms: PlannedTerm[];
}

export interface PositionPlace {
  readonly page: number;
  readonly lang: string;
}

interface PositionSource {
  readonly lists: ListPages;
  readonly marks: MarkSections;
  termNumber(term: string): number;
}

/** Not looked up yet. */
const unknown = -2;
const absent = -1;

/** Finds where the terms of queries stand on the pages of a segment. */
export class PositionFinder {
  private readonly lists: ListPages;
  private readonly termNumber: (term: string) => number;
  private readonly reader: PositionReader;
  private readonly plans = new WeakMap<TermWeights, Map<string, readonly PlannedWord[]>>();
  private readonly numbers = new WeakMap<TermWeights, readonly number[]>();
  /** What one look at a page reads, one word after the other. */
  private readonly list = new Occurrences();
  /** The page, the plan and the field that are looked at, and where the positions of the plan's terms begin on that page. */
  private lookedPage = -1;
  private lookedPlan: readonly PlannedWord[] | undefined;
  private field: MarkedField = 'body';
  private isBodyRead = false;
  private mayBeInHeadings = false;
  private readonly offsets: number[] = [];

  constructor({ lists, marks, termNumber }: PositionSource) {
    this.lists = lists;
    this.termNumber = termNumber;
    this.reader = new PositionReader(marks);
  }

  /** Whether the title of a page holds one of the terms. */
  holdsInTitle(page: number, terms: TermWeights): boolean {
    const { lists } = this;
    for (const term of this.numbersOf(terms))
      if (lists.postingOf({ term, inTitle: true }, page) >= 0) return true;
    return false;
  }

  /** As `PageMarks.occurrences`. */
  occurrences(
    place: PositionPlace,
    field: MarkedField,
    terms: TermWeights,
    limits: OccurrenceLimits,
    into: Occurrences,
  ): void {
    const { list } = this;
    this.field = field;
    const words: WordRange[] = [];
    const plan = this.planOf(terms, place.lang);
    const isSame = this.lookAt(place.page, plan);
    // The look at its body has seen that none of the words is in its headings.
    const isInNone = isSame && this.isBodyRead && !this.mayBeInHeadings;
    into.clear();
    if (field === 'headings' && isInNone) return;
    list.clear();
    for (const word of plan) {
      const from = list.length;
      if (word.stem) this.addStem(place, word.stem, word.forms, limits.scanned);
      else this.addForms(place, word.forms, limits.scanned);
      if (list.length > from) words.push({ from, to: list.length });
    }
    this.isBodyRead ||= field === 'body';
    chooseOccurrences({ list, words }, limits, into);
  }

  /** Adds the positions of terms whose stem is not among the terms of the query, or not in the segment. */
  private addForms(place: PositionPlace, forms: readonly PlannedTerm[], scanned: number): void {
    const { list } = this;
    const from = list.length;
    for (const term of forms) if (this.readForm(term, place)) this.addRead(term.form, scanned);
    if (forms.length > 1) sortFrom(list, from);
  }

  /** Adds the positions of a stem, those of the query's own forms with their weights. */
  private addStem(
    place: PositionPlace,
    stem: PlannedTerm,
    forms: readonly PlannedTerm[],
    scanned: number,
  ): void {
    const { list, reader } = this;
    const offset = this.offsetOf(stem, place.page);
    if (offset < 0) return;
    const from = list.length;
    if (!reader.read(offset, this.field, stem.length)) return;
    this.addRead(stem.form, scanned);
    for (const term of forms) {
      const own = this.offsetOf(term, place.page);
      if (own < 0) continue;
      // Of a term that has the positions of its stem, each occurrence of the stem is one.
      if (!reader.read(own, this.field, term.length)) list.forms.fill(term.form, from, list.length);
      else this.overlayRead(term.form, from);
    }
  }

  /** Reads the positions of an exact term; false if it is not on the page. */
  private readForm(planned: PlannedTerm, { page, lang }: PositionPlace): boolean {
    const offset = this.offsetOf(planned, page);
    if (offset < 0) return false;
    if (this.reader.read(offset, this.field, planned.length)) return true;
    const stem = stemTerm(planned.form.term, lang);
    if (stem === null) return false;
    const ofStem = this.positionsOf(this.termNumber(stem), page);
    return ofStem >= 0 && this.reader.read(ofStem, this.field, stem.length - stemMark.length);
  }

  /** Adds what was read before the offset `scanned`. */
  private addRead(form: WordForm, scanned: number): void {
    const { list, reader } = this;
    const { starts, ends, count } = reader;
    if (reader.isInHeadings) this.mayBeInHeadings = true;
    for (let index = 0; index < count; index++) {
      const start = starts[index] as number;
      if (start >= scanned) break;
      list.add(start, ends[index] as number, form);
    }
  }

  /** Those of the positions that were read belong to another form. */
  private overlayRead(form: WordForm, from: number): void {
    const { list, reader } = this;
    const { starts, ends, count } = reader;
    for (let index = from, own = 0; index < list.length && own < count; index++) {
      const start = list.startOf(index);
      while (own < count && (starts[own] as number) < start) own++;
      if (own < count && starts[own] === start && ends[own] === list.endOf(index)) list.forms[index] = form;
    }
  }

  /** A page's fields are looked at one after the other, with one plan. Returns whether it is the same page as before. */
  private lookAt(page: number, plan: readonly PlannedWord[]): boolean {
    if (page === this.lookedPage && plan === this.lookedPlan) return true;
    this.lookedPage = page;
    this.lookedPlan = plan;
    this.isBodyRead = false;
    this.mayBeInHeadings = false;
    this.offsets.fill(unknown);
    return false;
  }

  /** Where the positions of a term begin on the page that is looked at; below 0 if it is not there. */
  private offsetOf({ term, slot }: PlannedTerm, page: number): number {
    const { offsets } = this;
    const known = offsets[slot] ?? unknown;
    if (known !== unknown) return known;
    while (offsets.length < slot) offsets.push(unknown);
    const offset = this.positionsOf(term, page);
    offsets[slot] = offset;
    return offset;
  }

  private positionsOf(term: number, page: number): number {
    const posting = term < 0 ? absent : this.lists.postingOf({ term, inTitle: false }, page);
    return posting < 0 ? absent : this.reader.offsetOf(posting);
  }

  /** The numbers of the terms that the segment has. */
  private numbersOf(terms: TermWeights): readonly number[] {
    const known = this.numbers.get(terms);
    if (known) return known;
    const numbers = [...terms.keys()].map(this.termNumber).filter((number) => number >= 0);
    this.numbers.set(terms, numbers);
    return numbers;
  }

  private planOf(terms: TermWeights, lang: string): readonly PlannedWord[] {
    const byLanguage = this.plans.get(terms) ?? new Map<string, readonly PlannedWord[]>();
    this.plans.set(terms, byLanguage);
    const language = stemmedLanguage(lang);
    const plan = byLanguage.get(language) ?? this.makePlan(terms, language);
    byLanguage.set(language, plan);
    return plan;
  }

  private makePlan(terms: TermWeights, lang: string): PlannedWord[] {
    const words = new Map<string, PlannedWord>();
    const numbers = wordNumbers(terms);
    let slot = 0;
    for (const [term, ownWeight] of terms) {
      const inSegment = this.termNumber(term);
      if (inSegment < 0) continue;
      const isStem = term.startsWith(stemMark);
      const stem = isStem ? term : stemTerm(term, lang);
      const word = stem !== null && terms.has(stem) ? stem : term;
      const planned = words.get(word) ?? { stem: undefined, forms: [] };
      words.set(word, planned);
      // The weight of a stem counts for its forms too, where the segment has it.
      const shared = isStem || word === term || this.termNumber(word) < 0 ? 0 : (terms.get(word) ?? 0);
      const form = { term, word, number: numbers.get(word) as number, weight: ownWeight + shared };
      const length = isStem ? term.length - stemMark.length : term.length;
      const one: PlannedTerm = { form, term: inSegment, length, slot: slot++ };
      if (isStem) planned.stem = one;
      else planned.forms.push(one);
    }
    return [...words.values()];
  }
}

/** Puts the occurrences from an index on in reading order. */
function sortFrom(list: Occurrences, from: number): void {
  const compare = (one: number, other: number): number =>
    readsBefore(list, one, other) ? -1 : readsBefore(list, other, one) ? 1 : 0;
  const order = Array.from({ length: list.length - from }, (_, index) => from + index).sort(compare);
  const sorted = new Occurrences();
  for (const index of order) sorted.addFrom(list, index);
  list.length = from;
  list.addAll(sorted);
}
