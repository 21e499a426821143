import type { StructuredText } from '../structured-text.ts';
import { type Attributes, attribute, walkXml } from '../xml.ts';
import { isOn } from './opc.ts';
import type { WordNumbering } from './word-numbering.ts';
import type { WordStyle } from './word-styles.ts';

/** An open paragraph. Text boxes nest paragraphs in paragraphs, so there is a stack of them. */
interface Paragraph {
  text: string;
  style: WordStyle | undefined;
  hasOutline: boolean;
  /** The list that the paragraph itself names; `0` is none. */
  list: string | undefined;
  level: number | undefined;
}

/** Elements whose text is shown elsewhere, twice, or not at all. */
const skipped = new Set(
  'Fallback moveFrom del rt sectPr instrText delText separator hdr ftr comments glossaryDocument'.split(' '),
);

/**
 * Writes the paragraphs, items and rows of a WordprocessingML part; returns the text of its first paragraph in the style
 * Title, if there is one.
 */
export function writeWordText(
  xml: string,
  { styleOf, numbering }: { styleOf: (id: string) => WordStyle; numbering?: WordNumbering },
  out: StructuredText,
): string | undefined {
  const paragraphs: Paragraph[] = [];
  /** Text of the open cells, innermost last; null for a text box, whose paragraphs are separate. */
  const cells: (string[] | null)[] = [];
  const rows: string[][] = [];
  let title: string | undefined;
  let skipping = 0;
  let inText = false;
  let inParagraphMark = false;
  let isRunHidden = false;

  const append = (text: string) => {
    const paragraph = paragraphs.at(-1);
    if (paragraph !== undefined && !isRunHidden && skipping === 0) paragraph.text += text;
  };
  const openProperty = (name: string, attributes: Attributes) => {
    const paragraph = paragraphs.at(-1);
    const value = attribute(attributes, 'val') ?? '';
    if (paragraph === undefined) return;
    if (name === 'pStyle') paragraph.style = styleOf(value);
    else if (name === 'outlineLvl') paragraph.hasOutline = Number(value) < 9;
    else if (name === 'numId') paragraph.list = value;
    else if (name === 'ilvl') paragraph.level = Number(value) || 0;
  };
  /** The number that the program would show before a paragraph. */
  const numberOf = ({ text, style, list = style?.list, level = style?.level ?? 0 }: Paragraph): string =>
    list === undefined || list === '0' || text.trim() === '' ? '' : (numbering?.next(list, level) ?? '');
  const finishParagraph = (paragraph: Paragraph) => {
    const { style, hasOutline, list, level = style?.level ?? 0 } = paragraph;
    const number = numberOf(paragraph);
    const text = number === '' ? paragraph.text : `${number} ${paragraph.text.trimStart()}`;
    const isItem = list === undefined ? style?.isList : list !== '0';
    const cell = cells.at(-1);
    if (cell) cell.push(text);
    else if (style?.isTitle || style?.isHeading || hasOutline) {
      if (style?.isTitle) title ??= text;
      out.heading(text);
    } else if (isItem) out.item(paragraph.text, level, number || '-');
    else out.paragraph(text);
  };
  const finishCell = () => {
    const text = (cells.pop() ?? []).filter((part) => part.trim() !== '').join(' ');
    rows.at(-1)?.push(text);
  };
  const finishRow = () => {
    const row = rows.pop() ?? [];
    const outer = cells.at(-1);
    if (outer) outer.push(row.join(' '));
    else out.row(row);
  };

  walkXml(xml, {
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: flat: a case for each element name of the format
    open(name, attributes) {
      if (skipping > 0 || skipped.has(name)) {
        skipping++;
        return;
      }
      if (name === 'p') paragraphs.push(newParagraph());
      else if (name === 'pPr') inParagraphMark = true;
      else if (name === 'r') isRunHidden = false;
      else if (name === 'vanish' && !inParagraphMark) isRunHidden = isOn(attributes);
      else if (name === 'rStyle' && styleOf(attribute(attributes, 'val') ?? '').isHidden) isRunHidden = true;
      else if (name === 't') inText = true;
      else if (name === 'tab' && !inParagraphMark) append(' ');
      else if (name === 'br' || name === 'cr') append('\n');
      else if (name === 'noBreakHyphen') append('-');
      else if (name === 'tr') rows.push([]);
      else if (name === 'tc') cells.push([]);
      else if (name === 'txbxContent') cells.push(null);
      else if (inParagraphMark) openProperty(name, attributes);
    },
    text(piece) {
      if (inText) append(piece);
    },
    close(name) {
      if (skipping > 0) {
        skipping--;
        return;
      }
      if (name === 't') inText = false;
      else if (name === 'pPr') inParagraphMark = false;
      else if (name === 'r') isRunHidden = false;
      else if (name === 'tc') finishCell();
      else if (name === 'tr') finishRow();
      else if (name === 'txbxContent') cells.pop();
      else if (name === 'p') {
        const paragraph = paragraphs.pop();
        if (paragraph !== undefined) finishParagraph(paragraph);
      }
    },
    done: out.isFull,
  });
  return title;
}

function newParagraph(): Paragraph {
  return { text: '', style: undefined, hasOutline: false, list: undefined, level: undefined };
}
