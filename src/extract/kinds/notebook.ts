import { markdownToHtml } from '../markdown/markdown-html.ts';
import { isObject, type Json, objectsOf, parseObject } from './json.ts';
import type { Kind } from './kind.ts';
import { codeBlock, htmlText, readingOfMarkup } from './markup-reading.ts';

const maxCells = 10_000;
/** A longer output is data. */
const maxOutput = 5000;

/** A Jupyter notebook (nbformat 3 and 4): its Markdown, its code, and what the code printed. */
export const notebook: Kind = {
  name: 'Jupyter notebook',
  mediaTypes: ['application/x-ipynb+json'],
  endings: ['ipynb'],
  begins: ({ beginning }) => (beginning.startsWith('{') ? 'maybe' : 'no'),
  read({ url, text }) {
    const root = parseObject(text());
    if (root === null || typeof root.nbformat !== 'number') return null;
    const sheets = objectsOf(root.worksheets).flatMap((sheet) => objectsOf(sheet.cells));
    const cells = [...objectsOf(root.cells), ...sheets].slice(0, maxCells);
    const metadata = isObject(root.metadata) ? root.metadata : {};
    const language = languageOf(metadata);
    const authors = objectsOf(metadata.authors).flatMap(({ name }) =>
      typeof name === 'string' ? [name] : [],
    );
    return readingOfMarkup(cells.map((cell) => cellMarkup(cell, language)).join('\n'), {
      url,
      title: typeof metadata.title === 'string' ? metadata.title : undefined,
      author: authors.join(', ') || null,
    });
  },
};

function cellMarkup(cell: Json, language: string): string {
  const source = textOf(cell.source ?? cell.input);
  if (cell.cell_type === 'markdown') return markdownToHtml(source).html;
  if (cell.cell_type === 'heading') return `<h2>${htmlText(source)}</h2>`;
  if (cell.cell_type === 'raw') return codeBlock(source);
  if (cell.cell_type !== 'code') return '';
  return codeBlock(source, language) + objectsOf(cell.outputs).map(outputMarkup).join('');
}

function outputMarkup(output: Json): string {
  const data = isObject(output.data) ? output.data : {};
  const text = textOf(output.text ?? data['text/plain']);
  return text === '' || text.length > maxOutput ? '' : codeBlock(text);
}

function languageOf(metadata: Json): string {
  const info = isObject(metadata.language_info) ? metadata.language_info : metadata.kernelspec;
  const name = isObject(info) ? (info.name ?? info.language) : '';
  return typeof name === 'string' && !/\s/.test(name) ? name : '';
}

/** Text, or its lines. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : '';
}
