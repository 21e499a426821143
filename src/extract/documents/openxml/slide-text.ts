import type { StructuredText } from '../structured-text.ts';
import { type Attributes, attribute, walkXml } from '../xml.ts';

interface Line {
  readonly text: string;
  readonly isItem: boolean;
  readonly level: number;
}

interface Shape {
  readonly lines: (Line | readonly string[])[];
  placeholder: string | undefined;
}

const skippedPlaceholders = new Set(['dt', 'ftr', 'sldNum', 'hdr', 'sldImg']);
const titles = new Set(['title', 'ctrTitle']);

/**
 * Writes the text of one slide and returns its title. The title comes first, wherever it is drawn. Skips dates, footers,
 * slide numbers and hidden slides. `isNotes` reads a page of notes: prose without a title.
 */
export function writeSlide(xml: string, out: StructuredText, isNotes = false): string | undefined {
  const shapes: Shape[] = [];
  let shape: Shape = { lines: [], placeholder: undefined };
  let text = '';
  let level = 0;
  let bullet: boolean | undefined;
  let inText = false;
  let isHidden = false;
  let skipping = 0;
  let row: string[] | undefined;
  let cell: string[] | undefined;

  const openParagraphProperty = (name: string, attributes: Attributes) => {
    if (name === 'pPr') level = Number(attributes.lvl ?? 0) || 0;
    else if (name === 'buNone') bullet = false;
    else if (name === 'buChar' || name === 'buAutoNum' || name === 'buBlip') bullet = true;
  };
  walkXml(xml, {
    open(name, attributes) {
      const isStamp = name === 'fld' && /^(?:slidenum|datetime)/.test(attributes.type ?? '');
      if (skipping > 0 || name === 'Fallback' || isStamp) skipping++;
      else if (name === 'sld') isHidden = attributes.show === '0' || attributes.show === 'false';
      else if (name === 'sp' || name === 'graphicFrame') {
        shape = { lines: [], placeholder: undefined };
        shapes.push(shape);
      } else if (name === 'ph') shape.placeholder = attribute(attributes, 'type') ?? 'body';
      else if (name === 't') inText = true;
      else if (name === 'br') text += '\n';
      else if (name === 'tr') row = [];
      else if (name === 'tc') cell = [];
      else openParagraphProperty(name, attributes);
    },
    text(piece) {
      if (inText && skipping === 0) text += piece;
    },
    close(name) {
      if (skipping > 0) {
        skipping--;
        return;
      }
      if (name === 't') inText = false;
      else if (name === 'tc') {
        row?.push((cell ?? []).join(' '));
        cell = undefined;
      } else if (name === 'tr') {
        shape.lines.push(row ?? []);
        row = undefined;
      } else if (name === 'p') {
        const isItem = bullet ?? (shape.placeholder === 'body' || shape.placeholder === 'obj');
        if (cell !== undefined) cell.push(text);
        else if (text.trim() !== '') shape.lines.push({ text, isItem, level });
        text = '';
        level = 0;
        bullet = undefined;
      }
    },
  });
  if (isHidden) return undefined;
  const isTitle = ({ placeholder }: Shape) => !isNotes && titles.has(placeholder ?? '');
  const heading = shapes.find(isTitle);
  const title = heading?.lines.flatMap((line) => ('text' in line ? [line.text] : [])).join(' ');
  if (title !== undefined) out.heading(title);
  for (const { placeholder, lines } of shapes) {
    if (skippedPlaceholders.has(placeholder ?? '')) continue;
    for (const line of heading?.lines === lines ? [] : lines) {
      if (!('text' in line)) out.row(line);
      else if (line.isItem && !isNotes) out.item(line.text, line.level);
      else out.paragraph(line.text);
    }
  }
  return title;
}
