import { stripInvisible } from '../../text/line/invisible.ts';
import { limitLength } from '../../text/line/limit-length.ts';
import { oneLine } from '../../text/line/one-line.ts';
import { withoutC1Controls } from '../encoding/windows-1252.ts';

export interface StructuredText {
  /** White space at the ends is removed, line breaks inside stay. Empty text is no paragraph. */
  paragraph(text: string): void;
  /** A paragraph that is also a heading. */
  heading(text: string): void;
  /** Items are on adjacent lines, two spaces deeper for each level, after `-` or their number. */
  item(text: string, level?: number, marker?: string): void;
  /** Cells on one line, a tab between them. */
  row(cells: readonly string[]): void;
  /** True once further text is dropped. */
  isFull(): boolean;
  finish(): { readonly body: string; readonly headings: readonly string[] };
}

/** Longer bodies are cut, so that an index entry stays a few megabytes. */
export const maxBodyCharacters = 2_000_000;
const maxHeadings = 2000;
const maxItemLevel = 8;

/** Collects a document's text as plain text that keeps its structure, up to `maxBodyCharacters`. */
export function createStructuredText(): StructuredText {
  const parts: string[] = [];
  const headings: string[] = [];
  let length = 0;
  let lastKind = '';

  const add = (kind: 'block' | 'item' | 'row', text: string) => {
    if (length >= maxBodyCharacters) return;
    const separator = parts.length === 0 ? '' : kind !== 'block' && kind === lastKind ? '\n' : '\n\n';
    const block = limitLength(separator + text, maxBodyCharacters - length);
    parts.push(block);
    length += block.length;
    lastKind = kind;
  };
  const paragraph = (text: string) => {
    const clean = cleanLines(text);
    if (clean !== '') add('block', clean);
  };
  return {
    paragraph,
    heading(text) {
      const heading = tidyLine(text);
      if (heading === '') return;
      if (headings.length < maxHeadings) headings.push(heading);
      add('block', heading);
    },
    item(text, level = 0, marker = '-') {
      const item = tidyLine(text);
      if (item !== '') add('item', `${'  '.repeat(Math.min(level, maxItemLevel))}${marker} ${item}`);
    },
    row(cells) {
      const clean = cells.map(tidyLine);
      while (clean.at(-1) === '') clean.pop();
      if (clean.length > 0) add('row', clean.join('\t'));
    },
    isFull: () => length >= maxBodyCharacters,
    finish: () => ({ body: parts.join(''), headings }),
  };
}

/** Halves of characters: files cut strings anywhere. */
const loneSurrogate = /\p{Surrogate}/gu;
/** Programs store bytes of windows-1252 as Unicode; the resulting control characters never occur in real text. */
function whole(text: string): string {
  return withoutC1Controls(text.replace(loneSurrogate, ''));
}

function tidyLine(text: string): string {
  return oneLine(whole(text));
}

function cleanLines(text: string): string {
  return stripInvisible(whole(text).replace(/\r\n?|[\v\f\u2028\u2029]/g, '\n'))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
