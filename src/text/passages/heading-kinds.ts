import { createUnitsOf } from '../tokenizer.ts';
import { FoldedLine, FoldedLineSet } from './folded-lines.ts';
import { maxAddedLength, type ParagraphSource } from './paragraphs.ts';
import type { ScannedText } from './scanned-text.ts';

/** Tells which paragraphs of a page repeat its title or a heading, for one page after the other. */
export class HeadingKinds {
  private readonly unitsOf = createUnitsOf();
  private readonly title = new FoldedLine();
  private readonly lines = new FoldedLineSet();
  private readonly own = new FoldedLine();
  private maxLength = 0;

  /** Takes the title and the headings of the next page. */
  read({ title = '', headings = '' }: ParagraphSource): void {
    const { own, lines } = this;
    this.title.fold(title, this.unitsOf(title), 0, title.length);
    lines.clear();
    const units = this.unitsOf(headings);
    this.maxLength = title.length;
    for (let start = 0; start < headings.length; ) {
      const next = headings.indexOf('\n', start);
      const end = next < 0 ? headings.length : next;
      this.maxLength = Math.max(this.maxLength, end - start);
      own.fold(headings, units, start, end);
      lines.add(own);
      start = end + 1;
    }
  }

  /** The kind of the paragraph between two offsets of the body; undefined if it repeats neither. */
  kindOf({ text, units }: ScannedText, start: number, end: number): 'title' | 'heading' | undefined {
    if (end - start > this.maxLength + maxAddedLength) return undefined;
    const { own } = this;
    own.fold(text, units, start, end);
    if (own.length === 0) return undefined;
    if (own.begins(this.title)) return 'title';
    return this.lines.has(own) ? 'heading' : undefined;
  }
}
