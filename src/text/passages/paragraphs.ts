import { foldForComparison } from '../line/fold-for-comparison.ts';
import { endsSentence, type Stretch, sentencesOf, trimmed } from './sentences.ts';

/** The kind of a paragraph; `title` is a heading that only repeats the page's title. */
export type ParagraphKind = 'text' | 'item' | 'row' | 'heading' | 'title';

/** A paragraph without white space at its ends and without the bullet of a list item. */
export interface Paragraph extends Stretch {
  readonly kind: ParagraphKind;
  readonly sentences: readonly Stretch[];
}

export interface ParagraphSource {
  readonly body: string;
  readonly title?: string;
  /** One heading per line. */
  readonly headings?: string;
}

/** The paragraphs of a body, parsed on demand. */
export interface Paragraphs {
  /** The paragraph at an offset; undefined between two paragraphs. */
  at(offset: number): Paragraph | undefined;
  /** The first paragraph that begins at or after an offset. */
  from(offset: number): Paragraph | undefined;
}

export const bulletSigns = '-–—*•‣▪◦·';
const bullet = new RegExp(`[${bulletSigns}]\\s+`, 'y');
/** A shorter line was not broken for lack of room. */
export const minWrappedLength = 40;
/** What pages may add to their headings, in units: numbers, signs of permanent links. */
export const maxAddedLength = 10;

type ParseParagraph = (lines: Stretch) => Paragraph;

/** Returns the function that parses the paragraph that some lines of the body form. */
function createParser({ body, title = '', headings = '' }: ParagraphSource): ParseParagraph {
  let foldedLines: { readonly title: string; readonly lines: ReadonlySet<string> } | undefined;
  let maxLength = title.length;
  for (const { length } of headings.split('\n')) maxLength = Math.max(maxLength, length);

  function kindOf({ start, end }: Stretch, isItem: boolean): ParagraphKind {
    if (end - start <= maxLength + maxAddedLength) {
      foldedLines ??= {
        title: foldForComparison(title),
        lines: new Set(headings.split('\n').map(foldForComparison)),
      };
      const own = foldForComparison(body.slice(start, end));
      if (own !== '' && foldedLines.title.startsWith(own)) return 'title';
      if (own !== '' && foldedLines.lines.has(own)) return 'heading';
    }
    if (isItem) return 'item';
    return body.slice(start, end).includes('\t') ? 'row' : 'text';
  }

  return (lines) => {
    const whole = trimmed(body, lines);
    bullet.lastIndex = whole.start;
    const marked = bullet.exec(body);
    const isItem = marked !== null && whole.start + marked[0].length <= whole.end;
    const stretch = isItem ? { ...whole, start: whole.start + marked[0].length } : whole;
    const kind = kindOf(stretch, isItem);
    return { ...stretch, kind, sentences: sentencesOf(body, stretch) };
  };
}

/** The paragraphs of a body, each parsed when it is asked for. */
export function createParagraphs(source: ParagraphSource): Paragraphs {
  const { body } = source;
  const parse = createParser(source);
  let last: Paragraph | undefined;

  function at(offset: number): Paragraph | undefined {
    if (last && offset >= last.start && offset < last.end) return last;
    const line = lineAt(body, offset);
    let { start, end } = line;
    for (let before = lineBefore(body, start); before && isWrapped(body, before, start); ) {
      start = before.start;
      before = lineBefore(body, start);
    }
    while (end < body.length && isWrapped(body, lineAt(body, end - 1), end + 1)) {
      end = lineAt(body, end + 1).end;
    }
    const paragraph = parse({ start, end });
    if (offset < paragraph.start || offset >= paragraph.end) return undefined;
    last = paragraph;
    return paragraph;
  }

  return {
    at,
    from(offset) {
      for (let end = offset; end < body.length; end++) {
        const paragraph = /\s/.test(body.charAt(end)) ? undefined : at(end);
        if (paragraph) return paragraph;
      }
      return undefined;
    },
  };
}

function lineStart(body: string, offset: number): number {
  return offset === 0 ? 0 : body.lastIndexOf('\n', offset - 1) + 1;
}

function lineAt(body: string, offset: number): Stretch {
  const end = body.indexOf('\n', offset);
  return { start: lineStart(body, offset), end: end < 0 ? body.length : end };
}

function lineBefore(body: string, start: number): Stretch | undefined {
  return start === 0 ? undefined : { start: lineStart(body, start - 1), end: start - 1 };
}

/** Whether a line continues in the next, as in plain text that was wrapped to a fixed width. */
function isWrapped(body: string, line: Stretch, next: number): boolean {
  if (line.end - line.start < minWrappedLength || endsSentence(body, line.end)) return false;
  return /^\p{Ll}/u.test(body.slice(next, next + 2));
}

/** The index of the first sentence of a paragraph that ends after an offset; their number if none does. */
export function sentenceIndexAt({ sentences }: Paragraph, offset: number): number {
  let low = 0;
  let high = sentences.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sentences[middle] as Stretch).end > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}
