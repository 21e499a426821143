import { foldForComparison } from '../../../text/line/fold-for-comparison.ts';
import { createStructuredText, type StructuredText } from '../structured-text.ts';

/** A line of a page as drawn. Lengths are in points. */
export interface PdfLine {
  /** Tabs separate cells, where the line has wide gaps. */
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

export interface PdfText {
  readonly body: string;
  readonly headings: readonly string[];
  /** The largest text of the first page with text, if it is clearly larger than the rest. */
  readonly shownTitle: string | undefined;
}

/** Minimum size of headings relative to the text. */
const headingScale = 1.15;
const titleScale = 1.3;
const maxHeadingLength = 200;
/** Lines of one paragraph are at most this many usual gaps apart. */
const paragraphGap = 1.35;
const bullet = /^(?:[•●○◦▪■□▸►‣∙·⁃\uf0b7\uf0a7\uf0d8]|[-–—*](?=\s))\s*/u;
/** The number of an item, which may also begin a line of prose. */
const numbered = /^\(?\d{1,2}[.)]\s+\p{L}/u;
const sentenceEnd = /[.!?:;。！？：；…"”'’)）】」』]$/u;
/** With bounds, because a page may be one word of 100,000 letters. */
const compound = /(?<!\p{L})\p{L}{1,40}-\p{L}{1,40}/gu;
const cutWord = /(\p{L}{1,40})[-\u2010\u00ad]$/u;
const maxCutWordLength = 42;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。，．：；「」『』（）！？]/u;

/**
 * Turns the lines of a document's pages into paragraphs, items, rows and headings, in drawing order: by the gaps between
 * lines, the size of letters, indents and signs. Skips lines that repeat at the edges of pages.
 */
export function writePdfText(pages: readonly (readonly PdfLine[])[], outline: readonly string[]): PdfText {
  const out = createStructuredText();
  const shown = withoutPageFurniture(pages);
  const lines = shown.flat();
  const bodySize = usualSize(lines);
  const marked = new Set(outline.map(foldForComparison).filter((title) => title !== ''));
  const hyphenated = new Set(lines.flatMap(({ text }) => text.toLowerCase().match(compound) ?? []));
  const isHeading = ({ text, size }: PdfLine) =>
    text.length <= maxHeadingLength &&
    /\p{L}/u.test(text) &&
    (size >= bodySize * headingScale || (marked.size > 0 && marked.has(foldForComparison(text))));

  let paragraph: PdfLine[] = [];
  const flush = () => {
    if (paragraph.length > 0) writeParagraph(paragraph, { out, isHeading, hyphenated });
    paragraph = [];
  };
  for (const page of shown) {
    const gap = usualGap(page);
    for (const line of page) {
      const last = paragraph.at(-1);
      if (last !== undefined && !continues(last, line, paragraph[0] ?? last, gap, isHeading)) flush();
      paragraph.push(line);
    }
    const last = paragraph.at(-1);
    if (last !== undefined && (sentenceEnd.test(last.text) || isHeading(last))) flush();
  }
  flush();
  return { ...out.finish(), shownTitle: titleOf(shown.find((page) => page.length > 0) ?? [], bodySize) };
}

function continues(
  last: PdfLine,
  line: PdfLine,
  first: PdfLine,
  gap: number,
  isHeading: (line: PdfLine) => boolean,
): boolean {
  if (line.text.includes('\t') !== last.text.includes('\t') && !isHeading(line)) return false;
  if (line.text.includes('\t') || bullet.test(line.text)) return false;
  if (numbered.test(line.text) && (sentenceEnd.test(last.text) || numbered.test(first.text))) return false;
  if (Math.abs(line.size - last.size) > last.size * 0.15 || isHeading(line) !== isHeading(last)) return false;
  const down = last.y - line.y;
  // Up or far down is another column or page, where the sentence may continue.
  if (down < -line.size * 0.5 || down > line.size * 12)
    return !sentenceEnd.test(last.text) && /^[\p{Ll}\p{Script=Han}]/u.test(line.text);
  if (down > Math.max(gap * paragraphGap, line.size * (isHeading(line) ? 1.4 : 1.1))) return false;
  const isIndented = line.x > last.x + line.size * 0.8 && !bullet.test(first.text);
  return !(isIndented && sentenceEnd.test(last.text));
}

function writeParagraph(
  lines: readonly PdfLine[],
  {
    out,
    isHeading,
    hyphenated,
  }: {
    out: StructuredText;
    isHeading: (line: PdfLine) => boolean;
    hyphenated: ReadonlySet<string>;
  },
): void {
  const [first] = lines;
  if (first === undefined) return;
  const text = joinLines(lines, hyphenated);
  if (isHeading(first) && text.length <= maxHeadingLength) out.heading(text.replaceAll('\t', ' '));
  else if (first.text.includes('\t') && !bullet.test(first.text)) out.row(text.split('\t'));
  else if (bullet.test(text)) out.item(text.replace(bullet, ''));
  else out.paragraph(text);
}

/** Joins lines; joins a hyphenated word too, unless the document has it with a hyphen elsewhere. */
function joinLines(lines: readonly PdfLine[], hyphenated: ReadonlySet<string>): string {
  const parts: string[] = [];
  for (const { text } of lines) {
    const before = parts.pop();
    if (before === undefined) {
      parts.push(text);
      continue;
    }
    const head = cutWord.exec(before.slice(-maxCutWordLength))?.[1];
    const tail = /^\p{Ll}{1,40}/u.exec(text)?.[0];
    if (head !== undefined && tail !== undefined) {
      const isCompound = hyphenated.has(`${head}-${tail}`.toLowerCase());
      parts.push(isCompound ? before : before.slice(0, -1), text);
    } else {
      const isUnspaced = unspaced.test(before.at(-1) ?? '') && unspaced.test(text[0] ?? '');
      parts.push(before, ...(isUnspaced ? [] : [' ']), text);
    }
  }
  return parts.join('');
}

/** The pages without running titles and page numbers: first and last lines that repeat, ignoring digits, on most pages. */
function withoutPageFurniture(pages: readonly (readonly PdfLine[])[]): readonly (readonly PdfLine[])[] {
  const seen = new Map<string, number>();
  const edges = pages.map((page) => edgesOf(page));
  for (const edge of edges)
    for (const key of new Set([...edge].map(furnitureKey))) seen.set(key, (seen.get(key) ?? 0) + 1);
  const minPages = Math.max(3, pages.length * 0.4);
  const kept = pages.map((page, index) =>
    page.filter((line) => {
      if (edges[index]?.has(line) !== true) return true;
      const isNumber =
        page.length > 3 &&
        /^[-–—\s]*(?:page\s*)?\d{1,4}(?:\s*(?:of|\/)\s*\d{1,4})?[-–—\s]*$/i.test(line.text);
      return !isNumber && (seen.get(furnitureKey(line)) ?? 0) < minPages;
    }),
  );
  return lengthOf(kept) < lengthOf(pages) * minShareBeside ? pages : kept;
}

/** Where less is left, what repeats is the document: forms, slides, labels. */
const minShareBeside = 0.5;

function lengthOf(pages: readonly (readonly PdfLine[])[]): number {
  let length = 0;
  for (const page of pages) for (const { text } of page) length += text.length;
  return length;
}

function furnitureKey({ text }: PdfLine): string {
  return foldForComparison(text).replace(/\d+/g, '#');
}

/** The two lines nearest to the top and to the bottom of a page. */
function edgesOf(page: readonly PdfLine[]): Set<PdfLine> {
  const byHeight = [...page].sort((one, other) => other.y - one.y);
  return new Set([...byHeight.slice(0, 2), ...byHeight.slice(-2)]);
}

/** The most frequent size, by characters. */
function usualSize(lines: readonly PdfLine[]): number {
  const characters = new Map<number, number>();
  for (const { size, text } of lines) {
    const rounded = Math.round(size * 2) / 2;
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.length);
  }
  let best = 0;
  for (const [size, count] of characters) if (count > (characters.get(best) ?? 0)) best = size;
  return best;
}

function usualGap(page: readonly PdfLine[]): number {
  const gaps: number[] = [];
  for (let index = 1; index < page.length; index++) {
    const [last, line] = [page[index - 1], page[index]];
    const down = last && line ? last.y - line.y : 0;
    if (line && down > line.size * 0.5 && down < line.size * 3) gaps.push(down);
  }
  gaps.sort((one, other) => one - other);
  return gaps[gaps.length >> 1] ?? 0;
}

function titleOf(page: readonly PdfLine[], bodySize: number): string | undefined {
  const candidates = page.filter(({ text }) => /\p{L}{2}|\p{Script=Han}/u.test(text));
  const largest = Math.max(...candidates.map(({ size }) => size), 0);
  if (largest < bodySize * titleScale) return undefined;
  const from = candidates.findIndex(({ size }) => size >= largest * 0.95);
  const lines = candidates.slice(from, from + 4);
  const until = lines.findIndex(({ size }) => size < largest * 0.95);
  const title = joinLines(lines.slice(0, until < 0 ? undefined : until), new Set());
  return title.length <= maxHeadingLength ? title.replaceAll('\t', ' ') : undefined;
}
