import type { OutlineEntry } from '../../src/contract/content.ts';
import type { ReadRecord } from '../../src/engine/engine.ts';
import { markdownOf } from '../../src/engine/markdown/markdown.ts';
import { type Size, sizeOf } from '../answer-size.ts';
import { type TextWindow, textWindow } from './text-window.ts';

interface MarkdownWindowOptions {
  readonly body: string;
  readonly structure: NonNullable<ReadRecord['structure']>;
  /** Offset in the plain text, as `nextStart` is. */
  readonly start: number;
  /** Maximum length of the Markdown. */
  readonly max_chars: number;
  readonly max: Size;
}

/** What remains of a window whose Markdown is too long: marks and addresses seldom take more than the text. */
const shrink = 0.75;
const minWindow = 16;
/** Field names of one heading, and its numbers. */
const entryOverhead: Size = { chars: 40, tokens: 20 };

/** A window of the text as Markdown, which is longer than the text, so the window is made smaller until it fits. */
export function markdownWindow({
  body,
  structure,
  start,
  max_chars,
  max,
}: MarkdownWindowOptions): TextWindow {
  for (let length = max_chars; ; length = Math.floor(length * shrink)) {
    const { text: plain, nextStart } = textWindow(body, start, length);
    const end = nextStart ?? body.length;
    const { text } = markdownOf(body, structure, { start: end - plain.length, end });
    const size = sizeOf(text);
    if (text.length <= max_chars && size.chars <= max.chars && size.tokens <= max.tokens)
      return { text, nextStart };
    // Not even a few words fit with the addresses of their links.
    if (length < minWindow) return { text: plain, nextStart };
  }
}

/** As many headings as fit. */
export function fittingOutline(outline: readonly OutlineEntry[], max: Size): OutlineEntry[] {
  let [chars, tokens] = [max.chars, max.tokens];
  const end = outline.findIndex(({ title }) => {
    const size = sizeOf(title);
    chars -= size.chars + entryOverhead.chars;
    tokens -= size.tokens + entryOverhead.tokens;
    return chars < 0 || tokens < 0;
  });
  return end === -1 ? [...outline] : outline.slice(0, end);
}
