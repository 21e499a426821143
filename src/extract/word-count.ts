const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const pieceLength = 16 * 1024;

const maxRun = 4096;
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
  for (let at = 0; at < text.length; ) {
    let part = partAfter(beginning, text, at);
    if (part === between) {
      at++;
      continue;
    }
    const start = at;
    let whole = part;
    for (at++; at < text.length; at++) {
      part = partAfter(whole, text, at);
      if (part === between) break;
      whole = part;
    }
    if ((whole === core || whole === ending) && at - start <= maxRun) {
      words++;
      continue;
    }
    for (const run of text.slice(start, at).match(betweenWords) ?? []) {
      if (plainWord.test(run)) words++;
      else if (wordCharacter.test(run)) {
        rest += `${run} `;
        if (rest.length > pieceLength) {
          words += countSegments(rest);
          rest = '';
        }
      }
    }
  }
  return words + countSegments(rest);
}

/** What is read of a run: nothing, marks before a plain word, the word, marks after it, or anything else; or its end. */
const [beginning, core, ending, noPlainWord, between] = [0, 1, 2, 3, 4] as const;
/** By what was read, for the kinds of characters in `kindOf`. */
const partsAfter = Uint8Array.from(
  [
    [noPlainWord, between, core, beginning, noPlainWord, beginning, noPlainWord],
    [noPlainWord, between, core, noPlainWord, ending, ending, noPlainWord],
    [noPlainWord, between, noPlainWord, noPlainWord, ending, ending, noPlainWord],
    [noPlainWord, between, noPlainWord, noPlainWord, noPlainWord, noPlainWord, noPlainWord],
  ].flat(),
);
const kindCount = 7;
const [other, separator, letterOrDigit, opening, closing, quote, comma, unknown] = [
  0, 1, 2, 3, 4, 5, 6, 7,
] as const;

/** General punctuation ends here. */
const commonCount = 0x2070;
/** The kinds of common characters, each found out by the regular expressions above when it first appears. */
const kinds = new Uint8Array(commonCount).fill(unknown);

function kindOf(character: string): number {
  if (/[,;]/.test(character)) return comma;
  if (/["']/.test(character)) return quote;
  if (character === '‘') return opening;
  if (/[’.:]/.test(character)) return closing;
  if (plainWord.test(character)) return letterOrDigit;
  return character.match(betweenWords) === null ? separator : other;
}

function partAfter(part: number, text: string, at: number): number {
  const code = text.charCodeAt(at);
  let kind: number = other;
  if (code < commonCount) kind = commonKind(code);
  else if (code === 0x3000 || code === 0xfeff) kind = separator;
  // It is part of a run between digits alone.
  if (kind === comma && !(isDigit(text.charCodeAt(at - 1)) && isDigit(text.charCodeAt(at + 1))))
    return between;
  return partsAfter[part * kindCount + kind] as number;
}

function commonKind(code: number): number {
  let kind = kinds[code] as number;
  if (kind === unknown) {
    kind = kindOf(String.fromCharCode(code));
    kinds[code] = kind;
  }
  return kind;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** Characters of a run that are segmented; of longer ones the rest has as many words a character. */
const segmentedLength = 4096;

function countSegments(text: string): number {
  let words = 0;
  const sample = text.length <= segmentedLength ? text : text.slice(0, segmentedLength);
  for (const { isWordLike } of segmenter.segment(sample)) if (isWordLike) words++;
  return sample.length === text.length ? words : Math.round((words * text.length) / sample.length);
}
