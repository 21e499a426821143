import type { StructuredText } from './structured-text.ts';
import { type Attributes, walkXml } from './xml.ts';

/** Elements without visible text of the body: comments, deletions, note numbers, alternative texts, headers and footers. */
const skipped = new Set(
  'annotation tracked-changes note-citation ruby-text title desc forms event-listeners page-number date-time footer-decl header-decl date-time-decl sequence-decls scripts font-face-decls'.split(
    ' ',
  ),
);
const maxRepeatedCells = 64;
const maxColumns = 1000;
const maxRepeatedRows = 64;

/** Writes the visible text of content.xml; returns the paragraph in the style Title or the first slide's title. */
export function writeOdfText(xml: string, out: StructuredText): string | undefined {
  const paragraphs: { text: string; isHeading: boolean; isTitle: boolean }[] = [];
  const hidden = new Set<string>();
  const titleStyles = new Set(['Title']);
  const cells: (string[] | null)[] = [];
  const rows: { cells: string[]; repeat: number }[] = [];
  const frames: boolean[] = [];
  let listDepth = 0;
  let skipping = 0;
  let inStyle: string | undefined;
  let title: string | undefined;
  let cellRepeat = 1;

  const append = (text: string) => {
    const paragraph = paragraphs.at(-1);
    if (paragraph !== undefined) paragraph.text += text;
  };
  const openStyle = (attributes: Attributes) => {
    inStyle = attributes['style:name'];
    const parent = attributes['style:parent-style-name'] ?? '';
    if (inStyle !== undefined && titleStyles.has(parent)) titleStyles.add(inStyle);
  };
  const isSkipped = (name: string, attributes: Attributes): boolean =>
    skipped.has(name) ||
    (name === 'table' && hidden.has(attributes['table:style-name'] ?? '')) ||
    (name === 'span' && hidden.has(attributes['text:style-name'] ?? '')) ||
    (name === 'section' && attributes['text:display'] === 'none') ||
    attributes['table:visibility'] === 'collapse';

  const finishParagraph = () => {
    const paragraph = paragraphs.pop();
    if (paragraph === undefined) return;
    const { text, isHeading, isTitle } = paragraph;
    const cell = cells.at(-1);
    if (cell) {
      cell.push(text);
      return;
    }
    if (isTitle) title ??= text.trim() || undefined;
    if (isHeading || isTitle) out.heading(text);
    else if (listDepth > 0) out.item(text, listDepth - 1);
    else out.paragraph(text);
  };
  const finishCell = () => {
    const text = (cells.pop() ?? []).filter((part) => part.trim() !== '').join(' ');
    const row = rows.at(-1)?.cells;
    for (let time = 0; row !== undefined && time < cellRepeat && row.length < maxColumns; time++)
      row.push(text);
    cellRepeat = 1;
  };
  const finishRow = () => {
    const row = rows.pop();
    const outer = cells.at(-1);
    if (row === undefined) return;
    if (outer) outer.push(row.cells.join(' '));
    else for (let time = 0; time < row.repeat; time++) out.row(row.cells);
  };

  walkXml(xml, {
    open(name, attributes) {
      if (skipping > 0 || isSkipped(name, attributes)) {
        skipping++;
        return;
      }
      switch (name) {
        case 'style':
          openStyle(attributes);
          break;
        case 'text-properties':
        case 'table-properties':
          if (inStyle !== undefined && isHiding(attributes)) hidden.add(inStyle);
          break;
        case 'p':
        case 'h': {
          const inTitleFrame = frames.at(-1) === true;
          const isTitle = inTitleFrame || titleStyles.has(attributes['text:style-name'] ?? '');
          paragraphs.push({ text: '', isHeading: name === 'h' || inTitleFrame, isTitle });
          break;
        }
        case 's':
          append(' ');
          break;
        case 'tab':
          append(' ');
          break;
        case 'line-break':
          append('\n');
          break;
        case 'list-item':
          listDepth++;
          break;
        case 'frame':
          frames.push(attributes['presentation:class'] === 'title');
          break;
        case 'text-box':
          cells.push(null);
          break;
        case 'table':
          if (cells.length === 0 && rows.length === 0 && /^ta/.test(attributes['table:style-name'] ?? ''))
            out.heading(attributes['table:name'] ?? '');
          break;
        case 'table-row':
          rows.push({
            cells: [],
            repeat: repeated(attributes['table:number-rows-repeated'], maxRepeatedRows),
          });
          break;
        case 'table-cell':
        case 'covered-table-cell':
          cellRepeat = repeated(attributes['table:number-columns-repeated'], maxRepeatedCells);
          cells.push([]);
          break;
      }
    },
    text: (piece) => {
      if (skipping === 0) append(piece.replace(/\s+/g, ' '));
    },
    close(name) {
      if (skipping > 0) {
        skipping--;
        return;
      }
      if (name === 'p' || name === 'h') finishParagraph();
      else if (name === 'list-item') listDepth--;
      else if (name === 'frame') frames.pop();
      else if (name === 'text-box') cells.pop();
      else if (name === 'table-row') finishRow();
      else if (name === 'table-cell' || name === 'covered-table-cell') finishCell();
      else if (name === 'style') inStyle = undefined;
    },
    done: out.isFull,
  });
  return title;
}

function isHiding(attributes: Attributes): boolean {
  return attributes['text:display'] === 'none' || attributes['table:display'] === 'false';
}

function repeated(text: string | undefined, max: number): number {
  const times = Number(text ?? 1);
  return times >= 1 ? Math.min(Math.floor(times), max) : 1;
}
