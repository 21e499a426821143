import { detached } from './detached.ts';
import { foldWord } from './fold.ts';

let segmenter: Intl.Segmenter | undefined;

/** The words of a run of Thai, Lao, Khmer or Burmese by the dictionaries of `Intl.Segmenter`, with offsets. */
export function visitSpacelessWords(
  run: string,
  visit: (term: string, start: number, end: number) => void,
): void {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' });
  for (const { segment, index, isWordLike } of segmenter.segment(run)) {
    if (isWordLike) visit(foldWord(detached(segment)), index, index + segment.length);
  }
}
