import type { Mark, TextStructure } from '../../text/structure/marks.ts';
import { escapeLineStart, fenceFor } from './escape.ts';
import { inlineMarkdown } from './inline-markdown.ts';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Markdown, and where its headings begin in it, in order. */
export interface Markdown {
  readonly text: string;
  readonly headings: readonly number[];
}

const blockKinds = new Set(['h', 'l', 'q', 'p', 't']);

/**
 * A part of a text as CommonMark with tables of GitHub: headings, lists, quotations, code with its language, links with
 * absolute addresses. `range` is of the plain text, so that both forms have the same offsets. Lines stay lines.
 */
export function markdownOf(body: string, { base, marks }: TextStructure, range: Range): Markdown {
  const blocks = marks.filter(({ kind }) => blockKinds.has(kind));
  const inlines = marks.filter(({ kind }) => !blockKinds.has(kind));
  const output: string[] = [];
  const headingLines: number[] = [];
  let nextBlock = 0;
  let nextInline = 0;
  let open: Mark[] = [];
  let previous: Line | undefined;
  for (let start = range.start; start < range.end; ) {
    const lineEnd = body.indexOf('\n', start);
    const end = lineEnd === -1 || lineEnd > range.end ? range.end : lineEnd;
    open = open.filter((mark) => mark.end > start);
    for (
      let mark = blocks[nextBlock];
      mark && mark.start < Math.max(end, start + 1);
      mark = blocks[++nextBlock]
    )
      if (mark.end > start) open.push(mark);
    const own: Mark[] = [];
    for (let mark = inlines[nextInline]; mark && mark.start < end; mark = inlines[++nextInline])
      if (mark.start >= start) own.push(mark);
    const line = readLine(body, { start, end }, open);
    if (line !== undefined) {
      separate(output, previous, line);
      write(output, line, { body, base, own, range });
      if (line.heading) headingLines.push(output.length - 1);
    }
    if (line !== undefined || body.slice(start, end).trim() === '') previous = line;
    start = end + 1;
  }
  return { text: output.join('\n').trimEnd(), headings: lineOffsets(output, headingLines) };
}

/** The offsets of some lines, in their order. */
function lineOffsets(lines: readonly string[], wanted: readonly number[]): number[] {
  const offsets: number[] = [];
  let [offset, line] = [0, 0];
  for (const each of wanted) {
    for (; line < each; line++) offset += (lines[line]?.length ?? 0) + 1;
    offsets.push(offset);
  }
  return offsets;
}

/** A line of the text, and what it is in. */
interface Line extends Range {
  readonly open: readonly Mark[];
  /** What begins each line of the block. */
  readonly prefix: string;
  /** What begins this line. */
  readonly first: string;
  readonly items: readonly Mark[];
  readonly isItemStart: boolean;
  readonly verbatim: Mark | undefined;
  readonly table: Mark | undefined;
  readonly heading: Mark | undefined;
}

/** Undefined for a line without text that is no code. */
function readLine(body: string, { start, end }: Range, open: readonly Mark[]): Line | undefined {
  const verbatim = open.find(({ kind }) => kind === 'p');
  if (verbatim === undefined && body.slice(start, end).trim() === '') return undefined;
  let [prefix, first, textStart] = ['', '', start];
  const items: Mark[] = [];
  for (const mark of open) {
    if (mark.kind === 'q') {
      prefix += '> ';
      first += '> ';
    }
    if (mark.kind !== 'l') continue;
    items.push(mark);
    const marker = mark.value === '' ? '- ' : `${mark.value}. `;
    first += mark.start >= start ? marker : ' '.repeat(marker.length);
    prefix += ' '.repeat(marker.length);
    if (mark.start >= start) textStart = start + (/^ *- /.exec(body.slice(start, end))?.[0].length ?? 0);
  }
  return {
    start: verbatim && verbatim.start > textStart ? verbatim.start : textStart,
    end,
    open,
    prefix,
    first,
    items,
    isItemStart: items.some((mark) => mark.start >= start),
    verbatim,
    table: open.find(({ kind }) => kind === 't'),
    heading: open.find(({ kind }) => kind === 'h'),
  };
}

/** Puts between two lines what keeps them apart as the text does: a blank line, or a hard line break. */
function separate(output: string[], previous: Line | undefined, line: Line): void {
  if (output.length === 0) return;
  if (previous === undefined) return void output.push(commonQuotation(output.at(-1) ?? '', line));
  if (line.verbatim && line.verbatim === previous.verbatim) return;
  if (line.table && line.table === previous.table) return;
  if (line.isItemStart && previous.items.length > 0) return;
  const isPlain = (each: Line) => !each.verbatim && !each.table && !each.heading;
  const sameBlock = line.items.at(-1) === previous.items.at(-1) && line.open.length === previous.open.length;
  if (isPlain(line) && isPlain(previous) && sameBlock && !line.isItemStart) {
    output[output.length - 1] += '  ';
    return;
  }
  output.push(commonQuotation(output.at(-1) ?? '', line));
}

/** A blank line, within the quotation if both lines are in one. */
function commonQuotation(before: string, { prefix }: Line): string {
  return before.trimStart().startsWith('>') ? prefix.trimEnd() : '';
}

interface Writing {
  readonly body: string;
  readonly base: string;
  readonly own: readonly Mark[];
  readonly range: Range;
}

function write(output: string[], line: Line, { body, base, own, range }: Writing): void {
  const { start, end, prefix, first, verbatim, table, heading } = line;
  if (verbatim) {
    const code = body.slice(verbatim.start, verbatim.end);
    const fence = fenceFor(code);
    const isFirst = start <= Math.max(verbatim.start, range.start);
    if (isFirst) output.push(`${first}${fence}${verbatim.value}`);
    output.push(`${prefix}${body.slice(start, end)}`.trimEnd());
    if (end >= Math.min(verbatim.end, range.end)) output.push(`${prefix}${fence}`);
    return;
  }
  const text = inlineMarkdown({ body, base }, own, { start, end });
  if (heading) output.push(`${first}${'#'.repeat(Number(heading.value))} ${text.trim()}`);
  else if (table) writeRow(output, line, text, { body, range });
  else output.push(`${first}${escapeLineStart(text)}`);
}

/** A row of a table. The first one is its head, since a table of Markdown has one; it is as wide as the widest row. */
function writeRow(
  output: string[],
  { start, prefix, first, table }: Line,
  text: string,
  { body, range }: Pick<Writing, 'body' | 'range'>,
): void {
  const cells = text.split('\t').map((cell) => cell.trim().replaceAll('|', '\\|'));
  const from = Math.max(table?.start ?? start, range.start);
  if (start > from) return void output.push(`${prefix}| ${cells.join(' | ')} |`);
  const rows = body.slice(from, Math.min(table?.end ?? start, range.end)).split('\n');
  const width = rows.reduce((widest, row) => Math.max(widest, row.split('\t').length), 1);
  while (cells.length < width) cells.push('');
  output.push(`${first}| ${cells.join(' | ')} |`, `${prefix}|${' --- |'.repeat(width)}`);
}
