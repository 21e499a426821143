import { chooseOccurrences } from '../../../text/choose-occurrences.ts';
import type { FoundTerm, TermWeights } from '../../../text/find-terms.ts';
import { stemMark, stemmedLanguage, stemTerm } from '../../../text/stems.ts';
import type { MarkedField, OccurrenceLimits } from '../../page-marks.ts';
import type { MarkSections, Sections } from '../format.ts';
import { gallop } from '../posting-list.ts';
import { PositionReader } from './positions.ts';

/** An exact term among the terms of a query. */
interface Form {
  readonly term: string;
  readonly number: number;
  readonly weight: number;
}

/** What `FoundTerm` calls a word, with the numbers that its terms have in the segment. */
interface PlannedWord {
  readonly word: string;
  /** The stem that is a term of the query. */
  readonly stem: Form | undefined;
  readonly forms: readonly Form[];
}

export interface PositionPlace {
  readonly page: number;
  readonly lang: string;
  readonly field: MarkedField;
}

/** Finds where the terms of queries stand on the pages of a segment. */
export class PositionFinder {
  private readonly sections: Sections;
  private readonly termNumber: (term: string) => number;
  private readonly reader: PositionReader;
  private readonly plans = new WeakMap<TermWeights, Map<string, readonly PlannedWord[]>>();
  private readonly numbers = new WeakMap<TermWeights, readonly number[]>();

  constructor(sections: Sections, marks: MarkSections, termNumber: (term: string) => number) {
    this.sections = sections;
    this.termNumber = termNumber;
    this.reader = new PositionReader(marks);
  }

  /** Whether the title of a page holds one of the terms. */
  holdsInTitle(page: number, terms: TermWeights): boolean {
    const { titleOffsets } = this.sections;
    return this.numbersOf(terms).some((term) => this.indexIn(titleOffsets, term, page) >= 0);
  }

  /** As `PageMarks.occurrences`. */
  occurrences(place: PositionPlace, terms: TermWeights, limits: OccurrenceLimits): FoundTerm[] {
    const words: FoundTerm[][] = [];
    for (const word of this.planOf(terms, place.lang)) {
      const found: FoundTerm[] = [];
      if (word.stem) this.addStem(word, word.stem, place, found);
      else for (const form of word.forms) this.addForm(form, place, found);
      const end = found.findIndex(({ start }) => start >= limits.scanned);
      if (end >= 0) found.length = end;
      if (found.length > 0) words.push(found);
    }
    return chooseOccurrences(words, limits);
  }

  /** Adds the positions of a term whose stem is not among the terms of the query. */
  private addForm(form: Form, place: PositionPlace, found: FoundTerm[]): void {
    if (!this.readForm(form, place)) return;
    const { term, weight } = form;
    const { count, starts, ends } = this.reader;
    for (let index = 0; index < count; index++)
      found.push({ term, word: term, weight, start: starts[index] as number, end: ends[index] as number });
  }

  /** Adds the positions of a stem, those of the query's own forms with their weights. */
  private addStem({ forms }: PlannedWord, stem: Form, place: PositionPlace, found: FoundTerm[]): void {
    const { reader } = this;
    const word = stem.term;
    if (!this.readPosting(stem, word.length - stemMark.length, place)) return;
    const first = found.length;
    for (let index = 0; index < reader.count; index++) {
      const [start, end] = [reader.starts[index] as number, reader.ends[index] as number];
      found.push({ term: word, word, weight: stem.weight, start, end });
    }
    for (const form of forms) {
      if (!this.readForm(form, place)) continue;
      for (let index = first, own = 0; index < found.length && own < reader.count; index++) {
        const { start, end } = found[index] as FoundTerm;
        while (own < reader.count && (reader.starts[own] as number) < start) own++;
        if (own === reader.count || reader.starts[own] !== start || reader.ends[own] !== end) continue;
        found[index] = { term: form.term, word, weight: form.weight + stem.weight, start, end };
      }
    }
  }

  /** Reads the positions of an exact term; false if it is not on the page. */
  private readForm({ term, number }: Form, place: PositionPlace): boolean {
    const posting = this.indexIn(this.sections.postingOffsets, number, place.page);
    if (posting < 0) return false;
    if (this.reader.read(posting, place.field, term.length)) return true;
    const stem = stemTerm(term, place.lang);
    if (stem === null) return false;
    return this.readPosting({ number: this.termNumber(stem) }, stem.length - stemMark.length, place);
  }

  private readPosting({ number }: Pick<Form, 'number'>, length: number, place: PositionPlace): boolean {
    const posting = this.indexIn(this.sections.postingOffsets, number, place.page);
    return posting >= 0 && this.reader.read(posting, place.field, length);
  }

  /** The index of a page in the list of a term; -1 if it is not there. */
  private indexIn(offsets: Uint32Array, term: number, page: number): number {
    if (term < 0) return -1;
    const { postingPages } = this.sections;
    const end = offsets[term + 1] as number;
    const index = gallop(postingPages, offsets[term] as number, end, page);
    return index < end && postingPages[index] === page ? index : -1;
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
