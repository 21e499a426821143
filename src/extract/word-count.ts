const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const pieceLength = 16 * 1024;
/** One word and nothing but (UAX 29, rules WB5 and WB8 to WB10), with punctuation that cannot join it to anything. */
const plainWord = /^["'“‘([]*[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9]+["'”’)\],.;:!?…]*$/u;

/**
 * The number of word-like segments that `Intl.Segmenter` finds (UAX 29, with dictionaries for Chinese, Japanese, Thai and
 * their like). Counts plain words itself and gives the segmenter the rest in pieces, cut at white space, so that a huge
 * text costs neither memory nor more than linear time.
 */
export function countWords(text: string): number {
  let words = 0;
  let rest = '';
  for (const [run] of text.matchAll(/\S{1,4096}/g)) {
    if (plainWord.test(run)) words++;
    else {
      rest += `${run} `;
      if (rest.length > pieceLength) {
        words += countSegments(rest);
        rest = '';
      }
    }
  }
  return words + countSegments(rest);
}

function countSegments(text: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words++;
  return words;
}
