import type { PdfLine } from './pdf-text.ts';

/** The part of pdf.js's text item that is looked at. */
export interface PdfItem {
  readonly str: string;
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
  /** `rtl` for text that runs to the left. */
  readonly dir: string;
  /** The matrix that places the item; the last two are its x and y. */
  readonly transform: readonly number[];
}

/** Gaps in letters' heights: words are apart from here on, and cells. */
const wordGap = 0.15;
const cellGap = 1.6;
/** The dots that lead from a title to its page in a table of contents. */
const leader = /(?: ?[.…] ?){5,}/g;

const rightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}/u;

/** Puts the items of a page together to lines, in the order in which they were drawn. */
export function linesOf(items: readonly PdfItem[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let text = '';
  let start = { x: 0, y: 0, size: 0 };
  let left = 0;
  let end = 0;
  let endsLine = false;

  const flush = () => {
    const clean = text
      .replace(/[^\S\t]+/g, ' ')
      .replace(leader, '\t')
      .replace(/ ?\t[\t ]*/g, '\t')
      .trim();
    if (clean !== '') lines.push({ text: clean, ...start });
    text = '';
  };
  for (const { str, width, height, hasEOL, dir, transform } of items) {
    const [a = 0, b = 0, , , x = 0, y = 0] = transform;
    const size = height || Math.hypot(a, b);
    if (str.trim() !== '') {
      const isUpright = Math.abs(b) <= Math.abs(a);
      const letters = Math.min(size, start.size) || 1;
      const up = Math.abs(y - start.y);
      // The end of a table's cell is called an end of line as well.
      const isLeftwards = x < left && (dir === 'rtl' || rightToLeft.test(text));
      const gap = isLeftwards ? left - (x + width) : x - end;
      const isNewLine = endsLine
        ? up > letters * 0.2 || gap < -letters * 0.2
        : up > Math.max(size, start.size) * 0.6;
      if (text !== '' && (isUpright ? isNewLine : endsLine)) flush();
      if (text === '') start = { x, y, size };
      else if (isUpright) {
        if (gap > letters * cellGap) text += '\t';
        else if (gap > letters * wordGap && !/\s$/.test(text)) text += ' ';
        if (size > start.size) start = { ...start, size };
      }
      text += str;
      left = x;
      end = x + width;
      endsLine = hasEOL;
    } else {
      if (str !== '' && text !== '' && !/\s$/.test(text)) text += ' ';
      endsLine ||= hasEOL;
    }
  }
  flush();
  return lines;
}
