const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const pieceLength = 16 * 1024;

/** What ends a word whatever stands beside it, and commas and semicolons that do not stand between digits (WB12). */
const betweenWords = /(?:[^\s\-/\\|<>()[\]{}=+*&^%$#@!?~“”„«»…—–,;]|(?<=\d)[,;](?=\d)){1,4096}/gu;
/** One word and nothing but (WB5 and WB8 to WB10), with marks at its ends that join nothing there. */
const plainWord = /^["'‘]*[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9]+["'’.:]*$/u;
const wordCharacter = /[\p{L}\p{N}\p{M}]/u;

/**
 * The number of word-like segments that `Intl.Segmenter` finds (UAX 29, with dictionaries for Chinese, Japanese, Thai and
 * their like). Counts plain words itself and gives the segmenter the rest in pieces, cut where words end anyway, because
 * the segmenter takes microseconds for each segment, be it a single sign.
 */
export function countWords(text: string): number {
  let words = 0;
  let rest = '';
  for (const [run] of text.matchAll(betweenWords)) {
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

function countSegments(text: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words++;
  return words;
}
