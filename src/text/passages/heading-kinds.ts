import { createUnitsOf } from '../tokenizer.ts';
import { FoldedLine, FoldedLineSet, firstFolded, notKnown } from './folded-lines.ts';
import { maxAddedLength, type ParagraphSource } from './paragraphs.ts';
import type { ScannedText } from './scanned-text.ts';

const firstBits = 0xff;

/** Tells which paragraphs of a page repeat its title or a heading, for one page after the other. */
export class HeadingKinds {
  private readonly unitsOf = createUnitsOf();
  private readonly title = new FoldedLine();
  private readonly lines = new FoldedLineSet();
  private readonly own = new FoldedLine();
  private maxLength = 0;
  /** By the low bits of a unit, whether the folded title or a folded heading begins with such a unit. */
  private readonly firstUnits = new Uint8Array(firstBits + 1);

  /** Takes the title and the headings of the next page. */
  read({ title = '', headings = '' }: ParagraphSource): void {
    const { own, lines, firstUnits } = this;
    this.title.fold(title, this.unitsOf(title), 0, title.length);
    lines.clear();
    firstUnits.fill(0);
    firstUnits[(this.title.units[0] as number) & firstBits] = 1;
    const units = this.unitsOf(headings);
    this.maxLength = title.length;
    for (let start = 0; start < headings.length; ) {
      const next = headings.indexOf('\n', start);
      const end = next < 0 ? headings.length : next;
      this.maxLength = Math.max(this.maxLength, end - start);
      own.fold(headings, units, start, end);
      lines.add(own);
      firstUnits[(own.units[0] as number) & firstBits] = 1;
      start = end + 1;
    }
  }

  /** The kind of the paragraph between two offsets of the body; undefined if it repeats neither. */
  kindOf({ text, units }: ScannedText, start: number, end: number): 'title' | 'heading' | undefined {
    if (end - start > this.maxLength + maxAddedLength) return undefined;
    const first = firstFolded(units, start, end);
    if (first !== notKnown && this.firstUnits[first & firstBits] === 0) return undefined;
    const { own } = this;
    own.fold(text, units, start, end);
    if (own.length === 0) return undefined;
    if (own.begins(this.title)) return 'title';
    return this.lines.has(own) ? 'heading' : undefined;
  }
}
