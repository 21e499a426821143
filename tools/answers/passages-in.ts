import { findPassages, type PassageSource } from '../../src/engine/excerpt/find-passages.ts';
import { type Size, sizeOf } from '../answer-size.ts';

const maxPassages = 8;
const maxPassage = 700;
/** Field names and offset of one passage. */
const overhead: Size = { chars: 40, tokens: 20 };

export interface PassageLimits {
  readonly words: string;
  readonly start: number;
  /** Maximum size of all passages together. */
  readonly max_chars: number;
  readonly max: Size;
  /** Eight by default. */
  readonly count?: number;
}

/** The best passages that fit, each with its offset in the text. */
export function passagesIn(
  source: PassageSource,
  { words, start, max_chars, max, count = maxPassages }: PassageLimits,
) {
  const maxLength = Math.min(maxPassage, max_chars);
  let remaining = { ...max, plain: max_chars };
  const passages: { start: number; text: string }[] = [];
  for (const passage of findPassages(source, { words, start, maxPassages: count, maxLength })) {
    const text = source.body.slice(passage.start, passage.end);
    const { chars, tokens } = sizeOf(text);
    remaining = {
      chars: remaining.chars - chars - overhead.chars,
      tokens: remaining.tokens - tokens - overhead.tokens,
      plain: remaining.plain - text.length,
    };
    if (remaining.chars < 0 || remaining.tokens < 0 || remaining.plain < 0) break;
    passages.push({ start: passage.start, text });
  }
  return passages;
}
