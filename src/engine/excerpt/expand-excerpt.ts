import { cutAfter, cutBefore, wordEnd, wordStart } from '../../text/line/text-boundaries.ts';
import { type Paragraph, type Paragraphs, sentenceAt } from '../../text/passages/paragraphs.ts';
import { endsSentence, type Stretch } from '../../text/passages/sentences.ts';
import { maxPassageLength, minPassageLength } from './passages.ts';

/** A stretch of a text to show, and whether it begins or ends in the middle of a sentence. */
export interface Excerpt extends Stretch {
  readonly fromMiddle: boolean;
  readonly toMiddle: boolean;
}

/** Characters before the words, if the sentence does not fit as a whole. */
const lead = 80;
/** Minimum length of the beginning of a paragraph that lengthens another one. */
const minOfNext = 30;

/** The kinds of paragraphs that may lengthen a short one before them. */
const follows: Readonly<Record<Paragraph['kind'], (next: Paragraph['kind']) => boolean>> = {
  title: () => true,
  heading: () => true,
  text: (next) => next !== 'heading' && next !== 'title',
  item: (next) => next === 'item',
  row: (next) => next === 'row',
};

/**
 * The excerpt around `core`: whole sentences if they fit into `maxPassageLength`, and further ones if the excerpt would be
 * short.
 */
export function expandExcerpt(body: string, paragraphs: Paragraphs, core: Stretch): Excerpt {
  const [opening, closing] = [core.start, core.end - 1].map((offset) => {
    const paragraph = paragraphs.at(offset);
    return (paragraph && sentenceAt(paragraph, offset)) ?? core;
  }) as [Stretch, Stretch];
  const last = wordEnd(body, core.end);
  const fromMiddle = last - opening.start > maxPassageLength;
  const start = fromMiddle ? middle(body, core, last, closing.end) : opening.start;
  const toMiddle = closing.end - start > maxPassageLength;
  const end = toMiddle ? cutBefore(body, start + maxPassageLength, last) : Math.max(last, closing.end);
  const excerpt = { start, end, fromMiddle, toMiddle: toMiddle && end < closing.end };
  return fromMiddle || toMiddle ? excerpt : lengthen(body, paragraphs, excerpt);
}

/** The start in a sentence that does not fit: a little before the words, or more if the sentence ends soon. */
function middle(body: string, core: Stretch, last: number, sentenceEnd: number): number {
  const first = wordStart(body, core.start);
  const start = Math.min(first - lead, sentenceEnd - maxPassageLength);
  return cutAfter(body, Math.max(last - maxPassageLength, start), first);
}

/** Adds whole sentences of the same paragraph, then the paragraphs after a heading, an item or a row. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: three loops over the same two borders; apart they would pass both around
function lengthen(body: string, paragraphs: Paragraphs, excerpt: Excerpt): Excerpt {
  let { start, end } = excerpt;
  const isShort = () => end - start < minPassageLength;
  const after = paragraphs.at(end - 1)?.sentences ?? [];
  for (const sentence of after) {
    if (sentence.start < end || !isShort()) continue;
    if (sentence.end - start > maxPassageLength) break;
    end = sentence.end;
  }
  const before = paragraphs.at(start)?.sentences ?? [];
  for (const sentence of before.toReversed()) {
    if (sentence.end > start || !isShort()) continue;
    if (end - sentence.start > maxPassageLength) break;
    start = sentence.start;
  }
  while (isShort()) {
    const last = paragraphs.at(end - 1);
    const rest = last && sentenceAt(last, end);
    const next = rest ? last : paragraphs.from(end);
    const isWhole = last?.kind === 'text' && endsSentence(body, end);
    if (!last || !next || (!rest && (isWhole || !follows[last.kind](next.kind)))) break;
    const sentence = rest ?? sentenceAt(next, end) ?? next;
    if (sentence.end - start > maxPassageLength) {
      const visibleEnd = cutBefore(body, start + maxPassageLength, sentence.start + minOfNext);
      return { ...excerpt, start, end: visibleEnd, toMiddle: visibleEnd < sentence.end };
    }
    end = sentence.end;
  }
  return { ...excerpt, start, end };
}
