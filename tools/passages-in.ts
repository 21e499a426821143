import { findPassages, type PassageSource } from '../src/engine/excerpt/find-passages.ts';
import { type Size, sizeOf } from './answer-size.ts';

const maxPassages = 8;
const maxPassage = 700;
/** Of the names around a passage and the number of its place. */
const overhead: Size = { chars: 40, tokens: 20 };

export interface PassageLimits {
  readonly words: string;
  readonly start: number;
  /** Of all passages together. */
  readonly max_chars: number;
  readonly max: Size;
}

/** The best passages that fit, each with its place in the text. */
export function passagesIn(source: PassageSource, { words, start, max_chars, max }: PassageLimits) {
  const longest = Math.min(maxPassage, max_chars);
  let left = { ...max, plain: max_chars };
  const passages: { start: number; text: string }[] = [];
  for (const found of findPassages(source, { words, start, mostPassages: maxPassages, longest })) {
    const text = source.body.slice(found.start, found.end);
    const { chars, tokens } = sizeOf(text);
    left = {
      chars: left.chars - chars - overhead.chars,
      tokens: left.tokens - tokens - overhead.tokens,
      plain: left.plain - text.length,
    };
    if (left.chars < 0 || left.tokens < 0 || left.plain < 0) break;
    passages.push({ start: found.start, text });
  }
  return passages;
}
