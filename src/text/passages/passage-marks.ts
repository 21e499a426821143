import { type NameLine, nameLinesOf } from './name-line.ts';
import { type ParagraphSource, paragraphsOf } from './paragraphs.ts';
import { sentenceCode } from './sentence-code.ts';
import type { SentenceMark } from './sentence-table.ts';

/** What an index keeps of a body, so that passages of it can be chosen without its text. Offsets are UTF-16 units. */
export interface PassageMarks {
  /** In the order of the text. */
  readonly sentences: readonly SentenceMark[];
  /** In the order of the text. */
  readonly nameLines: readonly NameLine[];
}

/** All sentences and name lines of a body, in time that is linear in its length. */
export function passageMarks(source: ParagraphSource): PassageMarks {
  const { body } = source;
  const sentences: SentenceMark[] = [];
  for (const { kind, sentences: own } of paragraphsOf(source)) {
    for (const [index, { start, end }] of own.entries())
      sentences.push({ start, end, code: sentenceCode(body, { start, end }, kind), isFirst: index === 0 });
  }
  return { sentences, nameLines: [...nameLinesOf(body)] };
}
