/** A form of a word of a query. */
export interface WordForm {
  /** The exact form in the text. */
  readonly term: string;
  /** Common to all forms of one word: the stem's term if it is one of the terms, else the form itself. */
  readonly word: string;
  /** The number of the word: see `wordNumbers`. */
  readonly number: number;
  /** The weight of the form plus that of its stem. */
  readonly weight: number;
}

/**
 * Occurrences of the words of a query in a text, in UTF-16 offsets. They are columns, because a search looks at thousands:
 * an object for each would cost more than all that is done with it.
 */
export class Occurrences {
  length = 0;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly forms: WordForm[] = [];

  /** Items beyond `length` are of no meaning, so that a list can be filled again and again. */
  clear(): void {
    this.length = 0;
  }

  add(start: number, end: number, form: WordForm): void {
    const index = this.length++;
    this.starts[index] = start;
    this.ends[index] = end;
    this.forms[index] = form;
  }

  /** Adds an occurrence of another list. */
  addFrom({ starts, ends, forms }: Occurrences, index: number): void {
    this.add(starts[index] as number, ends[index] as number, forms[index] as WordForm);
  }

  addAll(others: Occurrences): void {
    for (let index = 0; index < others.length; index++) this.addFrom(others, index);
  }

  startOf(index: number): number {
    return this.starts[index] as number;
  }

  endOf(index: number): number {
    return this.ends[index] as number;
  }

  formOf(index: number): WordForm {
    return this.forms[index] as WordForm;
  }
}

/** A list that nothing is added to. */
export const noOccurrences = new Occurrences();

const numbersOf = new WeakMap<ReadonlyMap<string, number>, ReadonlyMap<string, number>>();

/** The number of each word whose forms are among these terms, from 0 on. */
export function wordNumbers(terms: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const known = numbersOf.get(terms);
  if (known) return known;
  let next = 0;
  const numbers = new Map<string, number>();
  for (const term of terms.keys()) numbers.set(term, next++);
  numbersOf.set(terms, numbers);
  return numbers;
}
