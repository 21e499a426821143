import { cutAfter, cutBefore, wordEnd, wordStart } from '../../text/line/text-boundaries.ts';
import type { TextSource } from '../../text/line/text-source.ts';
import type { ParagraphKind } from '../../text/passages/paragraphs.ts';
import { sentenceKind } from '../../text/passages/sentence-code.ts';
import {
  type SentenceMark,
  type SentenceTable,
  sentenceHolding,
} from '../../text/passages/sentence-table.ts';
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
const follows: Readonly<Record<ParagraphKind, (next: ParagraphKind) => boolean>> = {
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
export function expandExcerpt(body: TextSource, sentences: SentenceTable, core: Stretch): Excerpt {
  const opening = sentenceHolding(sentences, core.start) ?? core;
  const closing = sentenceHolding(sentences, core.end - 1) ?? core;
  const last = wordEnd(body, core.end);
  const fromMiddle = last - opening.start > maxPassageLength;
  const start = fromMiddle ? middle(body, core, last, closing.end) : opening.start;
  const toMiddle = closing.end - start > maxPassageLength;
  const end = toMiddle ? cutBefore(body, start + maxPassageLength, last) : Math.max(last, closing.end);
  const excerpt = { start, end, fromMiddle, toMiddle: toMiddle && end < closing.end };
  return fromMiddle || toMiddle ? excerpt : lengthen(body, sentences, excerpt);
}

/** The start in a sentence that does not fit: a little before the words, or more if the sentence ends soon. */
function middle(body: TextSource, core: Stretch, last: number, sentenceEnd: number): number {
  const first = wordStart(body, core.start);
  const start = Math.min(first - lead, sentenceEnd - maxPassageLength);
  return cutAfter(body, Math.max(last - maxPassageLength, start), first);
}

/** Adds whole sentences of the same paragraph, then the paragraphs after a heading, an item or a row. */
function lengthen(body: TextSource, sentences: SentenceTable, excerpt: Excerpt): Excerpt {
  const { start, end } = withinParagraph(sentences, excerpt);
  return withNext(body, sentences, { ...excerpt, start, end });
}

/** Adds sentences of the same paragraph: first those after a stretch, then those before it. */
function withinParagraph(sentences: SentenceTable, stretch: Stretch): Stretch {
  let { start, end } = stretch;
  const isShort = () => end - start < minPassageLength;
  let next: SentenceMark | undefined = sentences.from(end);
  while (isShort() && next && !next.isFirst && next.end - start <= maxPassageLength) {
    if (next.start >= end) end = next.end;
    next = sentences.from(next.end);
  }
  const first = sentenceHolding(sentences, start);
  let before = first && sentences.before(first);
  while (isShort() && before && end - before.start <= maxPassageLength) {
    start = before.start;
    before = sentences.before(before);
  }
  return { start, end };
}

/** Adds what follows a short stretch, up to a sentence or a paragraph of another kind. */
function withNext(body: TextSource, sentences: SentenceTable, excerpt: Excerpt): Excerpt {
  const { start } = excerpt;
  let { end } = excerpt;
  while (end - start < minPassageLength) {
    const last = sentenceHolding(sentences, end - 1);
    const next = sentences.from(end);
    if (!last || !next || (next.isFirst && next.start >= end && !mayFollow(body, end, last, next))) break;
    if (next.end - start > maxPassageLength) {
      const visibleEnd = cutBefore(body, start + maxPassageLength, next.start + minOfNext);
      return { ...excerpt, start, end: visibleEnd, toMiddle: visibleEnd < next.end };
    }
    end = next.end;
  }
  return { ...excerpt, start, end };
}

/** Whether the paragraph of `next` may lengthen an excerpt that ends with `last`. */
function mayFollow(body: TextSource, end: number, last: SentenceMark, next: SentenceMark): boolean {
  const kind = sentenceKind(last.code);
  const isWhole = kind === 'text' && endsSentence(body, end);
  return !isWhole && follows[kind](sentenceKind(next.code));
}
