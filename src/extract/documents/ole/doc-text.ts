import type { StructuredText } from '../structured-text.ts';
import type { DocParagraphs } from './doc-paragraphs.ts';
import type { DocPiece } from './doc-pieces.ts';

/** Control characters ([MS-DOC] 2.4.1): paragraph, cell, breaks, fields, hyphens. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the format marks its text with control characters
const special = /[\u0007\u000b-\u000e\u0013-\u0015\u001e\u001f\r]/g;

/** Writes the text of one part of a document. Only the result of a field is text, not its instruction. */
export function writeDocText(
  pieces: readonly DocPiece[],
  paragraphs: DocParagraphs,
  out: StructuredText,
): void {
  let text = '';
  let cell = '';
  let cells: string[] = [];
  /** For each open field, whether its instruction is being read. */
  const fields: boolean[] = [];
  let hasRowEnds = false;

  const finishRow = () => {
    out.row(cells);
    cells = [];
  };
  const finishParagraph = (offset: number) => {
    const paragraph = paragraphs.paragraphAt(offset);
    if (paragraph?.isInTable) cell += `${text} `;
    else {
      if (cells.length > 0) finishRow();
      if (paragraph?.isHeading) out.heading(text);
      else if (paragraph?.isItem) out.item(text, paragraph.level);
      else out.paragraph(text);
    }
    text = '';
  };
  const finishCell = (offset: number) => {
    const paragraph = paragraphs.paragraphAt(offset);
    if (paragraph?.endsRow) {
      hasRowEnds = true;
      finishRow();
    } else if (!hasRowEnds && paragraph === undefined && text === '' && cell === '') finishRow();
    else cells.push(cell + text);
    text = '';
    cell = '';
  };
  const mark = (character: string, offset: number) => {
    if (character === '\r' || character === '\f' || character === '\u000e') finishParagraph(offset);
    else if (character === '\u0007') finishCell(offset);
    else if (character === '\u000b') text += '\n';
    else if (character === '\u0013') fields.push(true);
    else if (character === '\u0014' && fields.length > 0) fields[fields.length - 1] = false;
    else if (character === '\u0015') fields.pop();
    else if (character === '\u001e') text += '-';
  };

  for (const { text: run, offset, bytesPerCharacter } of pieces) {
    let from = 0;
    for (const match of run.matchAll(special)) {
      if (!fields.includes(true)) text += run.slice(from, match.index);
      mark(match[0], offset + match.index * bytesPerCharacter);
      from = match.index + 1;
    }
    if (!fields.includes(true)) text += run.slice(from);
    if (out.isFull()) return;
  }
  if (cell !== '' || cells.length > 0) out.row([...cells, cell]);
  out.paragraph(text);
}
