import { findPassages, type PassageSource } from '../src/engine/excerpt/find-passages.ts';
import { type Size, sizeOf } from './answer-size.ts';

const mostPassages = 8;
const longestPassage = 700;
/** Of the names around a passage and the number of its place. */
const around: Size = { chars: 40, tokens: 20 };

export interface PassagesAsked {
  readonly words: string;
  readonly start: number;
  /** Of all passages together. */
  readonly max_chars: number;
  readonly most: Size;
}

/** The best passages that fit, each with its place in the text. */
export function passagesIn(source: PassageSource, { words, start, max_chars, most }: PassagesAsked) {
  const longest = Math.min(longestPassage, max_chars);
  let left = { ...most, plain: max_chars };
  const passages: { start: number; text: string }[] = [];
  for (const found of findPassages(source, { words, start, mostPassages, longest })) {
    const text = source.body.slice(found.start, found.end);
    const { chars, tokens } = sizeOf(text);
    left = {
      chars: left.chars - chars - around.chars,
      tokens: left.tokens - tokens - around.tokens,
      plain: left.plain - text.length,
    };
    if (left.chars < 0 || left.tokens < 0 || left.plain < 0) break;
    passages.push({ start: found.start, text });
  }
  return passages;
}
