import {
  chooseOccurrences,
  FoundOccurrences,
  type WordOccurrences,
} from '../../../text/choose-occurrences.ts';
import { type FoundTerm, inReadingOrder, type TermWeights } from '../../../text/find-terms.ts';
import { stemMark, stemmedLanguage, stemTerm } from '../../../text/stems.ts';
import type { MarkedField, OccurrenceLimits } from '../../page-marks.ts';
import type { MarkSections } from '../format.ts';
import type { ListPages } from '../lists/list-pages.ts';
import { type Form, PositionBuffer, PositionList } from './position-list.ts';
import { PositionReader } from './positions.ts';

/** What `FoundTerm` calls a word, with the numbers that its terms have in the segment. Without a stem it has one form. */
interface PlannedWord {
  readonly word: string;
  /** The stem that is a term of the query. */
  readonly stem: Form | undefined;
  readonly forms: readonly Form[];
}

interface StemmedWord extends PlannedWord {
  readonly stem: Form;
}

function hasStem(word: PlannedWord): word is StemmedWord {
  return word.stem !== undefined;
}

export interface PositionPlace {
  readonly page: number;
  readonly lang: string;
  readonly field: MarkedField;
}

interface PositionSource {
  readonly lists: ListPages;
  readonly marks: MarkSections;
  termNumber(term: string): number;
}

/** Finds where the terms of queries stand on the pages of a segment. */
export class PositionFinder {
  private readonly lists: ListPages;
  private readonly termNumber: (term: string) => number;
  private readonly reader: PositionReader;
  private readonly buffer = new PositionBuffer();
  private readonly plans = new WeakMap<TermWeights, Map<string, readonly PlannedWord[]>>();
  private readonly numbers = new WeakMap<TermWeights, readonly number[]>();
  /** The page that was looked at last, and where the positions of terms begin on it; -1 for a term that is not there. */
  private lookedPage = -1;
  private readonly offsets = new Map<number, number>();

  constructor({ lists, marks, termNumber }: PositionSource) {
    this.lists = lists;
    this.termNumber = termNumber;
    this.reader = new PositionReader(marks);
  }

  /** Whether the title of a page holds one of the terms. */
  holdsInTitle(page: number, terms: TermWeights): boolean {
    return this.numbersOf(terms).some((term) => this.lists.postingOf({ term, inTitle: true }, page) >= 0);
  }

  /** As `PageMarks.occurrences`. */
  occurrences(place: PositionPlace, terms: TermWeights, limits: OccurrenceLimits): FoundTerm[] {
    const words: WordOccurrences[] = [];
    this.buffer.clear();
    for (const word of this.planOf(terms, place.lang)) {
      const found = hasStem(word)
        ? this.stemIn(place, word, limits.scanned)
        : this.formsIn(place, word, limits.scanned);
      if (found && found.length > 0) words.push(found);
    }
    return chooseOccurrences(words, limits);
  }

  /** The positions of terms whose stem is not among the terms of the query, or not in the segment. */
  private formsIn(place: PositionPlace, { word, forms }: PlannedWord, scanned: number): WordOccurrences {
    const lists = forms.flatMap((form) =>
      this.readForm(form, place) ? [new PositionList(this.buffer, this.reader, form, scanned, word)] : [],
    );
    const [only, ...others] = lists;
    if (only && others.length === 0) return only;
    const found = lists.flatMap((list) => Array.from({ length: list.length }, (_, index) => list.at(index)));
    return new FoundOccurrences(word, found.sort(inReadingOrder));
  }

  /** The positions of a stem, those of the query's own forms with their weights. */
  private stemIn(
    place: PositionPlace,
    { word, stem, forms }: StemmedWord,
    scanned: number,
  ): PositionList | undefined {
    const { reader } = this;
    if (!this.readPosting(stem, word.length - stemMark.length, place)) return undefined;
    const list = new PositionList(this.buffer, reader, stem, scanned, word);
    for (const { term, number, weight } of forms) {
      const form = { term, number, weight: weight + stem.weight };
      if (this.readForm(form, place)) list.overlay(reader, form);
    }
    return list;
  }

  /** Reads the positions of an exact term; false if it is not on the page. */
  private readForm({ term, number }: Form, place: PositionPlace): boolean {
    const offset = this.offsetOf(number, place.page);
    if (offset < 0) return false;
    if (this.reader.read(offset, place.field, term.length)) return true;
    const stem = stemTerm(term, place.lang);
    if (stem === null) return false;
    return this.readPosting({ number: this.termNumber(stem) }, stem.length - stemMark.length, place);
  }

  private readPosting({ number }: Pick<Form, 'number'>, length: number, place: PositionPlace): boolean {
    const offset = this.offsetOf(number, place.page);
    return offset >= 0 && this.reader.read(offset, place.field, length);
  }

  /** Where the positions of a term begin on a page; -1 if it is not there. A page's fields are looked at one after the other. */
  private offsetOf(term: number, page: number): number {
    if (page !== this.lookedPage) {
      this.lookedPage = page;
      this.offsets.clear();
    }
    const known = this.offsets.get(term);
    if (known !== undefined) return known;
    const posting = term < 0 ? -1 : this.lists.postingOf({ term, inTitle: false }, page);
    const offset = posting < 0 ? -1 : this.reader.offsetOf(posting);
    this.offsets.set(term, offset);
    return offset;
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
    const words = new Map<string, { word: string; stem: Form | undefined; forms: Form[] }>();
    for (const [term, weight] of terms) {
      const number = this.termNumber(term);
      if (number < 0) continue;
      const isStem = term.startsWith(stemMark);
      const stem = isStem ? term : stemTerm(term, lang);
      const word = stem !== null && terms.has(stem) ? stem : term;
      const planned = words.get(word) ?? { word, stem: undefined, forms: [] };
      words.set(word, planned);
      if (isStem) planned.stem = { term, number, weight };
      else planned.forms.push({ term, number, weight });
    }
    return [...words.values()];
  }
}
