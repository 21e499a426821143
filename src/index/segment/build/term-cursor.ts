import { compareBytes, hashBytes } from '../term-bytes.ts';
import type { RenumberedSource } from './renumber.ts';

/** Reads the dictionary of a source term by term, from the first one on. */
export class TermCursor {
  readonly source: RenumberedSource;
  /** The number of the term, or that of all terms at the end. */
  term = 0;
  hash = 0;
  textStart = 0;
  textEnd = 0;
  postingStart = 0;
  isInTitle = false;
  private postingEnd = 0;

  constructor(source: RenumberedSource) {
    this.source = source;
    this.read();
  }

  isAtEnd(): boolean {
    return this.term >= this.source.segment.dictionary.termCount;
  }

  advance(): void {
    this.term++;
    this.read();
  }

  /** In the order of dictionaries: by hash, then by bytes. */
  compare(other: TermCursor): number {
    if (this.hash !== other.hash) return this.hash - other.hash;
    const [text, otherText] = [
      this.source.segment.dictionary.termText,
      other.source.segment.dictionary.termText,
    ];
    return compareBytes(text, this.textStart, this.textEnd, otherText, other.textStart, other.textEnd);
  }

  private read(): void {
    if (this.isAtEnd()) return;
    const { texts, postings, titles, termText } = this.source.segment.dictionary;
    this.textStart = this.textEnd;
    this.textEnd += texts.count(this.term);
    this.postingStart = this.postingEnd;
    this.postingEnd += postings.count(this.term);
    this.isInTitle = titles.count(this.term) > 0;
    this.hash = hashBytes(termText, this.textStart, this.textEnd);
  }
}
