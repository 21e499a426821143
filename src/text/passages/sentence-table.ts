import { createParagraphs, type Paragraph, type ParagraphSource, sentenceIndexAt } from './paragraphs.ts';
import { sentenceCode } from './sentence-code.ts';
import type { Stretch } from './sentences.ts';

/** A sentence of a body. */
export interface SentenceMark extends Stretch {
  /** The kind of its paragraph and its quality; see `sentence-code.ts`. */
  readonly code: number;
  /** Whether it begins its paragraph. Paragraphs begin and end with sentences. */
  readonly isFirst: boolean;
}

/** The sentences of a body in order. They do not overlap, and have no white space at their ends. */
export interface SentenceTable {
  /** The first sentence that ends after an offset. */
  from(offset: number): SentenceMark | undefined;
  /** The sentence before another one, in the same paragraph. */
  before(sentence: SentenceMark): SentenceMark | undefined;
}

/** The sentence at an offset, or the next one of the paragraph there; undefined between two paragraphs. */
export function sentenceHolding(sentences: SentenceTable, offset: number): SentenceMark | undefined {
  const sentence = sentences.from(offset);
  return sentence && (sentence.start <= offset || !sentence.isFirst) ? sentence : undefined;
}

/** The sentences of a text, found as they are asked for. */
export function createSentenceTable(source: ParagraphSource): SentenceTable {
  const { body } = source;
  const paragraphs = createParagraphs(source);

  function markOf({ kind, sentences }: Paragraph, index: number): SentenceMark | undefined {
    const sentence = sentences[index];
    return sentence && { ...sentence, code: sentenceCode(body, sentence, kind), isFirst: index === 0 };
  }

  return {
    from(offset) {
      const paragraph = paragraphs.from(offset);
      return paragraph && markOf(paragraph, sentenceIndexAt(paragraph, offset));
    },
    before(sentence) {
      const paragraph = sentence.isFirst ? undefined : paragraphs.at(sentence.start);
      return paragraph && markOf(paragraph, sentenceIndexAt(paragraph, sentence.start) - 1);
    },
  };
}
