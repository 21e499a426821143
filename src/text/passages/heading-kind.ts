import { createUnitsOf } from '../tokenizer.ts';
import { FoldedLine, FoldedLineSet } from './folded-lines.ts';
import { maxAddedLength, type ParagraphSource } from './paragraphs.ts';
import type { ScannedText } from './scanned-text.ts';
import type { Stretch } from './sentences.ts';

const unitsOf = createUnitsOf();
const own = new FoldedLine();

/** Returns the function that tells which paragraphs of a page repeat its title or a heading. */
export function createHeadingKind({
  title = '',
  headings = '',
}: ParagraphSource): (scanned: ScannedText, stretch: Stretch) => 'title' | 'heading' | undefined {
  const foldedTitle = new FoldedLine();
  foldedTitle.fold(title, unitsOf(title), 0, title.length);
  const lines = new FoldedLineSet();
  const units = unitsOf(headings);
  let maxLength = title.length;
  for (let start = 0; start < headings.length; ) {
    const next = headings.indexOf('\n', start);
    const end = next < 0 ? headings.length : next;
    maxLength = Math.max(maxLength, end - start);
    own.fold(headings, units, start, end);
    lines.add(own);
    start = end + 1;
  }
  return ({ text, units: textUnits }, { start, end }) => {
    if (end - start > maxLength + maxAddedLength) return undefined;
    own.fold(text, textUnits, start, end);
    if (own.length === 0) return undefined;
    if (own.begins(foldedTitle)) return 'title';
    return lines.has(own) ? 'heading' : undefined;
  };
}
