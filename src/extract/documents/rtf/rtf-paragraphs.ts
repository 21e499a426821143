import type { StructuredText } from '../structured-text.ts';

/** The paragraph, row and cells of RTF that are being read; they are written to `out` when they end. */
export interface RtfParagraphs {
  append(run: string): void;
  /** Sets a property of the paragraph; false for a control word that is none. */
  set(name: string, value: number): boolean;
  setHeading(isHeading: boolean): void;
  /** A bullet or number stands before the paragraph. */
  markItem(): void;
  endParagraph(): void;
  endCell(): void;
  endRow(): void;
}

const defaults = { isInTable: false, isHeading: false, isItem: false, level: 0 };

export function createRtfParagraphs(out: StructuredText): RtfParagraphs {
  let text = '';
  let cell = '';
  let cells: string[] = [];
  let hasBullet = false;
  let paragraph = { ...defaults };

  const endRow = (): void => {
    if (cells.length > 0 || cell.trim() !== '') out.row([...cells, ...(cell.trim() === '' ? [] : [cell])]);
    cells = [];
    cell = '';
  };
  return {
    append: (run) => {
      text += run;
    },
    set(name, value) {
      if (name === 'pard') paragraph = { ...defaults };
      else if (name === 'intbl') paragraph.isInTable = true;
      else if (name === 'ls') paragraph.isItem = value > 0;
      else if (name === 'ilvl') paragraph.level = value;
      else return false;
      return true;
    },
    setHeading: (isHeading) => {
      paragraph.isHeading = isHeading;
    },
    markItem: () => {
      hasBullet = true;
    },
    endParagraph() {
      const { isInTable, isHeading, isItem, level } = paragraph;
      if (isInTable) cell += `${text} `;
      else {
        endRow();
        if (isHeading) out.heading(text);
        else if (isItem || hasBullet) out.item(text, level);
        else out.paragraph(text);
      }
      text = '';
      // Every item brings a bullet of its own.
      hasBullet = false;
    },
    endCell() {
      cells.push(cell + text);
      cell = '';
      text = '';
    },
    endRow,
  };
}
