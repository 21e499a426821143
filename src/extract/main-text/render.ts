import { stripInvisible } from '../../text/line/invisible.ts';
import { oneLine } from '../../text/line/one-line.ts';
import { type Mark, realignMarks } from '../../text/structure/marks.ts';
import { definedTerm } from './defined-term.ts';
import { firstNumber, inlineMark, languageOf, ownNumber } from './element-mark.ts';
import { createTextWriter, type OpenMark } from './text-writer.ts';
import { type Element, isHeading, textOf } from './tree.ts';

export interface Rendered {
  /** Lines as the page shows them: a blank line between paragraphs, `- ` before list items, tabs between cells. */
  readonly text: string;
  /** The headings in it, in order. */
  readonly headings: readonly string[];
  /** The names that its definition lists define, each once. */
  readonly definedTerms: readonly string[];
  /** What the stretches of the text are. */
  readonly marks: readonly Mark[];
}

const paragraphs = new Set(
  'p h1 h2 h3 h4 h5 h6 pre blockquote ul ol dl table hr section article figure details'.split(' '),
);
const blocks = new Set(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre section summary table tbody td tfoot
  th thead tr ul`.split(/\s+/),
);
/** A cell with one of these is a column of the page, not a value. */
const layoutTags = new Set([
  'table',
  'pre',
  'h1',
  'h2',
  'h3',
  'h4',
  'article',
  'section',
  'form',
  'blockquote',
]);

/** Renders a tree as structured plain text, without dropped elements. Visits each node once. */
export function render(root: Element): Rendered {
  const writer = createTextWriter();
  const headings: string[] = [];
  const definedTerms = new Set<string>();
  const layoutTables = findLayoutTables(root);
  /** The number of the next item of each open list; undefined in a list without numbers. */
  const lists: (number | undefined)[] = [];

  function visit(element: Element, inCell: boolean): void {
    const { tag } = element;
    if (isHeading(element)) addHeading(element);
    const term = definedTerm(element);
    if (term !== undefined) definedTerms.add(term);
    if (tag === 'br' && inCell) writer.space();
    else if (tag === 'br') writer.lineBreak();
    else if (tag === 'pre' && !inCell) visitVerbatim(element);
    else if (tag === 'table') visitTable(element, inCell);
    else if (inCell) visitInCell(element);
    else visitBlock(element);
  }

  function addHeading(element: Element): void {
    const text = oneLine(textOf(element));
    if (text !== '') headings.push(text);
  }

  function visitVerbatim(element: Element): void {
    const mark = writer.open('p', languageOf(element));
    writer.verbatim(verbatimText(element));
    writer.close(mark);
  }

  function visitInCell(element: Element): void {
    const isBlock = blocks.has(element.tag);
    if (isBlock) writer.space();
    visitInline(element, true);
    if (isBlock) writer.space();
  }

  function visitInline(element: Element, inCell: boolean): void {
    const inline = inlineMark(element);
    const mark = inline && writer.open(...inline);
    visitChildren(element, inCell);
    writer.close(mark);
  }

  function visitBlock(element: Element): void {
    const { tag } = element;
    const isList = tag === 'ul' || tag === 'ol';
    const gap = !blocks.has(tag) ? 0 : paragraphs.has(tag) && lists.length === 0 ? 2 : 1;
    writer.gap(gap);
    if (isList) lists.push(firstNumber(element));
    const mark = blockMark(element);
    if (tag === 'li') writer.bullet(Math.max(0, lists.length - 1));
    visitInline(element, false);
    if (tag === 'li') writer.noBullet();
    writer.close(mark);
    if (isList) lists.pop();
    writer.gap(gap);
  }

  function nextNumber(item: Element): string {
    const next = lists.at(-1);
    if (next === undefined) return '';
    const number = ownNumber(item) ?? next;
    lists[lists.length - 1] = number + 1;
    return String(number);
  }

  function blockMark(element: Element) {
    if (isHeading(element)) return writer.open('h', element.tag.slice(1));
    if (element.tag === 'li') return writer.open('l', nextNumber(element));
    return element.tag === 'blockquote' ? writer.open('q') : undefined;
  }

  function visitChildren(element: Element, inCell: boolean): void {
    for (const child of element.children) {
      if (typeof child === 'string') writer.inline(child);
      else if (!child.dropped) visit(child, inCell);
    }
  }

  function visitTable(table: Element, inCell: boolean): void {
    const asLayout = layoutTables.has(table);
    writer.gap(inCell ? 1 : 2);
    const mark = inCell || asLayout ? undefined : writer.open('t');
    visitRows(table, asLayout, mark);
    writer.close(mark);
    writer.gap(inCell ? 1 : 2);
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: rows, cells and captions at any depth, in one walk
  function visitRows(element: Element, asLayout: boolean, mark: OpenMark | undefined): void {
    let isFirst = true;
    for (const child of element.children) {
      if (typeof child === 'string') writer.inline(child);
      else if (child.dropped) continue;
      else if (child.tag === 'td' || child.tag === 'th') {
        if (asLayout) writer.gap(1);
        else if (!isFirst) writer.tab();
        isFirst = false;
        visitChildren(child, !asLayout);
      } else {
        writer.gap(1);
        if (child.tag === 'caption') visitChildren(child, true);
        else visitRows(child, asLayout, mark);
        if (child.tag === 'caption') writer.beginAgain(mark);
        writer.gap(1);
      }
    }
  }

  if (root.tag === 'pre') visit(root, false);
  else visitChildren(root, false);
  const { text, marks } = writer.finish();
  const visible = stripInvisible(text);
  return {
    text: visible,
    headings,
    definedTerms: [...definedTerms],
    marks: realignMarks(marks, text, visible, ''),
  };
}

/** Tables for layout: one of their cells has the structure of a page. */
function findLayoutTables(root: Element): ReadonlySet<Element> {
  const layoutTables = new Set<Element>();
  (function visit(element: Element, table: Element | null): void {
    if (table !== null && layoutTags.has(element.tag)) layoutTables.add(table);
    const inner = element.tag === 'table' ? element : table;
    for (const child of element.children)
      if (typeof child !== 'string' && !child.dropped) visit(child, inner);
  })(root, null);
  return layoutTables;
}

/** Code unchanged; a line that is a block, or ends in `<br>`, keeps its line break. */
function verbatimText(element: Element): string {
  const parts: string[] = [];
  const endLine = () => {
    if (parts.length > 0 && !parts.at(-1)?.endsWith('\n')) parts.push('\n');
  };
  (function visit(current: Element): void {
    for (const child of current.children) {
      if (typeof child === 'string') parts.push(child);
      else if (child.dropped) continue;
      else if (child.tag === 'br') parts.push('\n');
      else {
        const isLine = blocks.has(child.tag);
        if (isLine) endLine();
        visit(child);
        if (isLine) endLine();
      }
    }
  })(element);
  return parts.join('').replace(/\r\n?/g, '\n').replace(/^\n+/, '').trimEnd();
}
