import type { PdfLine } from './pdf-text.ts';

/** The fields of pdf.js's text item that are used. */
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

/** Minimum gaps between words and between cells, in letter heights. */
const wordGap = 0.15;
const cellGap = 1.6;
/** The dots between a title and its page in a table of contents. */
const leader = /(?:[.…] ?){5,}/g;

const rightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}/u;

/** Joins the items of a page to lines, in drawing order. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: seven variables of one pass over the items; apart they would pass all around
export function linesOf(items: readonly PdfItem[]): PdfLine[] {
  const lines: PdfLine[] = [];
  // An array of pieces, because a line may have 100,000 items: inspecting a growing string takes quadratic time.
  let pieces: string[] = [];
  let start = { x: 0, y: 0, size: 0 };
  let leftEdge = 0;
  let end = 0;
  let endsLine = false;
  let isSpaced = true;
  let isRightToLeft = false;

  const flush = () => {
    const text = pieces
      .join('')
      .replace(/[^\S\t]+/g, ' ')
      .replace(leader, '\t')
      .replace(/ ?\t[\t ]*/g, '\t')
      .trim();
    if (text !== '') lines.push({ text, ...start });
    pieces = [];
    isSpaced = true;
    isRightToLeft = false;
  };
  const space = (sign: string) => {
    if (!isSpaced) pieces.push(sign);
    isSpaced = true;
  };
  for (const { str, width, height, hasEOL, dir, transform } of items) {
    if (str.trim() === '') {
      if (str !== '') space(' ');
      endsLine ||= hasEOL;
      continue;
    }
    const [a = 0, b = 0, , , x = 0, y = 0] = transform;
    const size = height || Math.hypot(a, b);
    const isUpright = Math.abs(b) <= Math.abs(a);
    const letters = Math.min(size, start.size) || 1;
    const up = Math.abs(y - start.y);
    const gap = x < leftEdge && (dir === 'rtl' || isRightToLeft) ? leftEdge - (x + width) : x - end;
    // pdf.js also marks the end of a table cell as an end of line.
    const isNewLine = endsLine
      ? up > letters * 0.2 || gap < -letters * 0.2
      : up > Math.max(size, start.size) * 0.6;
    if (pieces.length > 0 && (isUpright ? isNewLine : endsLine)) flush();
    if (pieces.length === 0) start = { x, y, size };
    else if (isUpright) {
      if (gap > letters * cellGap) pieces.push('\t');
      else if (gap > letters * wordGap) space(' ');
      if (size > start.size) start = { ...start, size };
    }
    pieces.push(str);
    leftEdge = x;
    end = x + width;
    endsLine = hasEOL;
    isSpaced = /\s$/.test(str);
    isRightToLeft ||= dir === 'rtl' && rightToLeft.test(str);
  }
  flush();
  return lines;
}
