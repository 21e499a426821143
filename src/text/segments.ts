import { limitLength } from './line/limit-length.ts';

/** Longer runs are cut, in UTF-16 units: the time of `Intl.Segmenter` grows with the square of the length. */
const maxRunLength = 1000;

let segmenter: Intl.Segmenter | undefined;

/** The words of a run of a script without spaces, by the dictionaries of `Intl.Segmenter`, with their offsets. */
export function* segmentsOf(run: string): Generator<{ segment: string; index: number }> {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' });
  for (let start = 0; start < run.length; ) {
    const block = limitLength(run.slice(start), maxRunLength);
    for (const { segment, index } of segmenter.segment(block)) yield { segment, index: start + index };
    start += block.length;
  }
}
