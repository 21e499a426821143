import { squeezeSpace } from '../../text/line/squeeze-space.ts';
import { type Mark, type MarkKind, mapMarks } from '../../text/structure/marks.ts';

/** Beyond this, a page keeps its text and loses marks. */
const maxMarks = 50_000;
/** A longer address is none that a reader would follow. */
const maxValue = 2048;

export interface OpenMark {
  readonly kind: MarkKind;
  readonly value: string;
  /** -1 until it has text. */
  start: number;
  end: number;
}

/** Writes text with the gaps of a page, and remembers what its stretches are. */
export function createTextWriter() {
  const parts: string[] = [];
  const marks: OpenMark[] = [];
  const withoutText: OpenMark[] = [];
  let length = 0;
  let breaks = 0;
  let spaced = false;
  let started = false;
  let marker = '';
  let leadingTabs = 0;

  function push(text: string): void {
    parts.push(text);
    length += text.length;
  }

  function start(separator: string): void {
    if (started && breaks > 0) push(breaks === 1 ? '\n' : '\n\n');
    else if (started) push(separator);
    // An item begins with its marker, a table with the tabs of its first row; what is around them no later.
    const lineStart = length;
    push(marker + '\t'.repeat(leadingTabs));
    leadingTabs = 0;
    const opened = withoutText.splice(0);
    let before = length;
    for (const mark of opened.toReversed()) {
      if (mark.kind === 't') before = Math.min(before, lineStart + marker.length);
      if (mark.kind === 'l' && marker !== '') before = lineStart;
      mark.start = before;
    }
    marks.push(...opened);
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
      push(text);
      spaced = isSpace(raw.charCodeAt(raw.length - 1));
    },
    verbatim(text: string): void {
      if (text.trim() === '') return;
      breaks = 2;
      start('');
      push(text);
      breaks = 2;
    },
    space(): void {
      spaced = true;
    },
    tab(): void {
      // A row whose first cells have no text begins with tabs, once one of its cells has text.
      if (breaks > 0) leadingTabs += 1;
      else if (started) push('\t');
      spaced = false;
    },
    lineBreak(): void {
      breaks = Math.min(2, breaks + 1);
    },
    gap(lines: number): void {
      leadingTabs = 0;
      breaks = Math.max(breaks, lines);
    },
    bullet(depth: number): void {
      marker = `${'  '.repeat(Math.min(depth, 8))}- `;
    },
    noBullet(): void {
      marker = '';
    },
    /** What is written until `close` is this; nothing is remembered of a stretch without text. */
    open(kind: MarkKind, value = ''): OpenMark | undefined {
      if (marks.length + withoutText.length >= maxMarks || value.length > maxValue) return undefined;
      const mark = { kind, value, start: -1, end: -1 };
      withoutText.push(mark);
      return mark;
    },
    close(mark: OpenMark | undefined): void {
      if (mark === undefined) return;
      mark.end = length;
      if (mark.start === -1) withoutText.splice(withoutText.lastIndexOf(mark), 1);
    },
    /** What was written since `open` is not this after all. */
    beginAgain(mark: OpenMark | undefined): void {
      if (mark === undefined || mark.start === -1) return;
      marks.splice(marks.lastIndexOf(mark), 1);
      mark.start = -1;
      withoutText.push(mark);
    },
    finish(): { text: string; marks: Mark[] } {
      const text = parts.join('');
      const indent = text.length - text.trimStart().length;
      const trimmed = text.trim();
      const shift = (offset: number): number => Math.min(Math.max(0, offset - indent), trimmed.length);
      return { text: trimmed, marks: mapMarks(marks, shift) };
    },
  };
}

const isSpace = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0;
const han = /[\u2e80-\u9fff\uf900-\ufaff\uff01-\uff60]/;

/** Collapses white space; removes a line break between two Han or kana characters, as CSS Text 3 section 4.1.3 allows. */
function collapse(raw: string): string {
  if (!han.test(raw)) return squeezeSpace(raw);
  const text = raw.trim();
  return text.replace(/\s+/g, (run, index: number) =>
    run.includes('\n') && han.test(text[index - 1] ?? '') && han.test(text[index + run.length] ?? '')
      ? ''
      : ' ',
  );
}
