const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const pieceLength = 16 * 1024;

/** Runs between characters that always end a word; commas and semicolons do not end one between digits (WB12). */
const betweenWords = /(?:[^\s\-/\\|<>()[\]{}=+*&^%$#@!?~“”„«»…—–,;]|(?<=\d)[,;](?=\d)){1,4096}/gu;
/** Exactly one word (WB5 and WB8 to WB10), with marks at its ends that join nothing there. */
const plainWord = /^["'‘]*[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9]+["'’.:]*$/u;
const wordCharacter = /[\p{L}\p{N}\p{M}]/u;

/**
 * The number of word-like segments by `Intl.Segmenter` (UAX 29, with dictionaries for Chinese, Japanese, Thai and
 * others). The segmenter takes microseconds for each segment, even for a single sign, so plain words are counted here,
 * and the segmenter gets the rest in pieces that end at word boundaries; of each piece of 16,384 characters it gets the
 * first 4,096, so that the count of a long text without spaces is an estimate, within a few per cent.
 */
export function countWords(text: string): number {
  let words = 0;
  let rest = '';
  for (const run of text.match(betweenWords) ?? []) {
    if (plainWord.test(run)) words++;
    else if (wordCharacter.test(run)) {
      rest += `${run} `;
      if (rest.length > pieceLength) {
        words += countSegments(rest);
        rest = '';
      }
    }
  }
  return words + countSegments(rest);
}

/** Characters of a run that are segmented; of longer ones the rest has as many words a character. */
const segmentedLength = 4096;

function countSegments(text: string): number {
  let words = 0;
  const sample = text.length <= segmentedLength ? text : text.slice(0, segmentedLength);
  for (const { isWordLike } of segmenter.segment(sample)) if (isWordLike) words++;
  return sample.length === text.length ? words : Math.round((words * text.length) / sample.length);
}
