import { stripInvisible } from '../../text/line/invisible.ts';
import { oneLine } from '../../text/line/one-line.ts';
import { definedTerm } from './defined-term.ts';
import { type Element, textOf } from './tree.ts';

export interface Rendered {
  /** Lines as the page shows them: a blank line between paragraphs, `- ` before list items, tabs between cells. */
  readonly text: string;
  /** The headings in it, in order. */
  readonly headings: readonly string[];
  /** The names that its definition lists define, each once. */
  readonly definedTerms: readonly string[];
}

const paragraphs = new Set(
  'p h1 h2 h3 h4 h5 h6 pre blockquote ul ol dl table hr section article figure details'.split(' '),
);
const blocks = new Set(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form
  h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre section summary table tbody td tfoot
  th thead tr ul`.split(/\s+/),
);
const heading = /^h[1-6]$/;
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
  const writer = createWriter();
  const headings: string[] = [];
  const definedTerms = new Set<string>();
  const layoutTables = findLayoutTables(root);
  let listDepth = 0;

  function visit(element: Element, inCell: boolean): void {
    const { tag } = element;
    if (heading.test(tag)) addHeading(element);
    const term = definedTerm(element);
    if (term !== undefined) definedTerms.add(term);
    if (tag === 'br' && inCell) writer.space();
    else if (tag === 'br') writer.lineBreak();
    else if (tag === 'pre' && !inCell) writer.verbatim(verbatimText(element));
    else if (tag === 'table') visitTable(element, inCell);
    else if (inCell) visitInCell(element);
    else visitBlock(element);
  }

  function addHeading(element: Element): void {
    const text = oneLine(textOf(element));
    if (text !== '') headings.push(text);
  }

  function visitInCell(element: Element): void {
    const isBlock = blocks.has(element.tag);
    if (isBlock) writer.space();
    visitChildren(element, true);
    if (isBlock) writer.space();
  }

  function visitBlock(element: Element): void {
    const { tag } = element;
    const isList = tag === 'ul' || tag === 'ol';
    const gap = !blocks.has(tag) ? 0 : paragraphs.has(tag) && listDepth === 0 ? 2 : 1;
    writer.gap(gap);
    if (isList) listDepth++;
    if (tag === 'li') writer.bullet(Math.max(0, listDepth - 1));
    visitChildren(element, false);
    if (tag === 'li') writer.noBullet();
    if (isList) listDepth--;
    writer.gap(gap);
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
    visitRows(table, asLayout);
    writer.gap(inCell ? 1 : 2);
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: rows, cells and captions at any depth, in one walk
  function visitRows(element: Element, asLayout: boolean): void {
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
        else visitRows(child, asLayout);
        writer.gap(1);
      }
    }
  }

  if (root.tag === 'pre') visit(root, false);
  else visitChildren(root, false);
  return { text: stripInvisible(writer.text()), headings, definedTerms: [...definedTerms] };
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

function createWriter() {
  const parts: string[] = [];
  let breaks = 0;
  let spaced = false;
  let started = false;
  let marker = '';

  function start(separator: string): void {
    if (started && breaks > 0) parts.push(breaks === 1 ? '\n' : '\n\n');
    else if (started) parts.push(separator);
    if (marker !== '') parts.push(marker);
    marker = '';
    breaks = 0;
    spaced = false;
    started = true;
  }

  return {
    inline(raw: string): void {
      const text = collapse(raw);
      if (text === '') {
        if (raw !== '') spaced = true;
        return;
      }
      const first = raw.charCodeAt(0);
      start(spaced || isSpace(first) ? ' ' : '');
      parts.push(text);
      spaced = isSpace(raw.charCodeAt(raw.length - 1));
    },
    verbatim(text: string): void {
      if (text.trim() === '') return;
      breaks = 2;
      start('');
      parts.push(text);
      breaks = 2;
    },
    space(): void {
      spaced = true;
    },
    tab(): void {
      if (breaks === 0 && started) parts.push('\t');
      spaced = false;
      breaks = 0;
    },
    lineBreak(): void {
      breaks = Math.min(2, breaks + 1);
    },
    gap(lines: number): void {
      breaks = Math.max(breaks, lines);
    },
    bullet(depth: number): void {
      marker = `${'  '.repeat(Math.min(depth, 8))}- `;
    },
    noBullet(): void {
      marker = '';
    },
    text: () => parts.join('').trim(),
  };
}

const isSpace = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
const han = /[\u2e80-\u9fff\uf900-\ufaff\uff01-\uff60]/;

/** Collapses white space; removes a line break between two Han or kana characters, as CSS Text 3 section 4.1.3 allows. */
function collapse(raw: string): string {
  const text = raw.trim();
  if (!han.test(text)) return text.replace(/\s+/g, ' ');
  return text.replace(/\s+/g, (run, index: number) =>
    run.includes('\n') && han.test(text[index - 1] ?? '') && han.test(text[index + run.length] ?? '')
      ? ''
      : ' ',
  );
}
