import type { ParagraphSource } from '../../../src/text/passages/paragraphs.ts';
import { passageMarks } from '../../../src/text/passages/passage-marks.ts';
import { firstFlag } from '../../../src/text/passages/sentence-code.ts';
import type { SentenceMark } from '../../../src/text/passages/sentence-table.ts';
import type { Stretch } from '../../../src/text/passages/sentences.ts';
import type { StretchLog } from '../../../src/text/passages/stretch-log.ts';

interface NameLine {
  readonly start: number;
  readonly nameEnd: number;
}

/** What `passageMarks` finds, as objects. */
export function passageLists(source: ParagraphSource): { sentences: SentenceMark[]; nameLines: NameLine[] } {
  const { sentences, nameLines } = passageMarks(source);
  return {
    sentences: listOf(sentences).map(({ start, end, code }) => ({
      start,
      end,
      code: code & ~firstFlag,
      isFirst: (code & firstFlag) !== 0,
    })),
    nameLines: listOf(nameLines).map(({ start, end }) => ({ start, nameEnd: end })),
  };
}

function listOf({ starts, ends, codes, size }: StretchLog): (Stretch & { readonly code: number })[] {
  return Array.from({ length: size }, (_, index) => ({
    start: starts[index] as number,
    end: ends[index] as number,
    code: codes[index] as number,
  }));
}
