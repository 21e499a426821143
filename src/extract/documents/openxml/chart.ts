import type { StructuredText } from '../structured-text.ts';
import { walkXml } from '../xml.ts';
import type { ZipArchive } from '../zip.ts';
import { formatCell } from './cell-format.ts';
import { drawingParagraphs, partText, type Relationship } from './opc.ts';

interface Series {
  name: string;
  readonly categories: string[];
  readonly values: string[];
}

const maxPoints = 5000;
const maxSeries = 100;
/** The column for the points of each element of a series. */
const columns: Readonly<Record<string, 'name' | 'categories' | 'values'>> = {
  tx: 'name',
  cat: 'categories',
  xVal: 'categories',
  val: 'values',
  yVal: 'values',
};

/** Writes a chart (ECMA-376 part 1, 21.2): its titles, then its numbers as a table with a column for each series. */
function writeChart(xml: string, out: StructuredText): void {
  for (const paragraph of drawingParagraphs(xml)) out.paragraph(paragraph);
  const series = readSeries(xml);
  const categories = series.find((one) => one.categories.length > 0)?.categories ?? [];
  const length = Math.max(categories.length, ...series.map(({ values }) => values.length), 0);
  if (series.some(({ name }) => name !== '')) out.row(['', ...series.map(({ name }) => name)]);
  for (let index = 0; index < length; index++)
    out.row([categories[index] ?? '', ...series.map(({ values }) => values[index] ?? '')]);
}

/** Writes the diagrams and charts that a part refers to. */
export function writeFigures(zip: ZipArchive, related: readonly Relationship[], out: StructuredText): void {
  for (const { type, target } of related) {
    if (type === 'chart') writeChart(partText(zip, target), out);
    else if (type === 'diagramData')
      for (const paragraph of drawingParagraphs(partText(zip, target))) out.paragraph(paragraph);
  }
}

function readSeries(xml: string): Series[] {
  const all: Series[] = [];
  let series: Series | undefined;
  let column: 'name' | 'categories' | 'values' | undefined;
  let point = 0;
  let value = '';
  let inValue = false;
  walkXml(xml, {
    open(name, { idx }) {
      if (name === 'ser' && all.length < maxSeries) {
        series = { name: '', categories: [], values: [] };
        all.push(series);
      } else if (series !== undefined && columns[name] !== undefined) column = columns[name];
      else if (name === 'pt') point = Number(idx ?? 0);
      else if (name === 'v') {
        inValue = true;
        value = '';
      }
    },
    text(piece) {
      if (inValue) value += piece;
    },
    close(name) {
      if (name === 'ser') series = undefined;
      else if (columns[name] !== undefined) column = undefined;
      if (name !== 'v') return;
      inValue = false;
      if (series === undefined || column === undefined) return;
      if (column === 'name') series.name = value;
      else if (point >= 0 && point < maxPoints)
        series[column][point] =
          value.trim() === '' ? value : (formatCell(Number(value), '0', false) ?? value);
    },
  });
  return all;
}
