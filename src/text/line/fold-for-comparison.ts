import { isAscii } from '../fold.ts';

/** Runs of other characters but a single space, which is what they become. */
const asciiRuns = /[^a-z\d ][^a-z\d]*| [^a-z\d]+/g;
const runs = /[^\p{L}\p{N} ][^\p{L}\p{N}]*| [^\p{L}\p{N}]+/gu;

/**
 * Whether a text is `folded` by `foldForComparison`, without folding most of those that are not. `mayFoldTo` is false where
 * the first letter or digit tells; the text may have white space and invisible characters that its line has not.
 */
export function foldsTo(text: string, folded: string): boolean {
  return mayFoldTo(text, folded) && foldForComparison(text) === folded;
}

export function mayFoldTo(text: string, folded: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return true;
    const small = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    const isWord = (small >= 0x61 && small <= 0x7a) || (code >= 0x30 && code <= 0x39);
    if (!isWord) continue;
    // A mark may follow, even behind characters that are invisible, and become part of the letter.
    const next = text.charCodeAt(at + 1);
    return small === folded.charCodeAt(0) || next < 0x20 || next >= 0x7f;
  }
  return true;
}

/** How two lines are compared: in small letters and normal form, with one space for each run of other characters. */
export function foldForComparison(text: string): string {
  // A reference page has hundreds of headings, and most are plain.
  if (isAscii(text)) return text.toLowerCase().replace(asciiRuns, ' ').trim();
  return text.normalize('NFKC').toLowerCase().replace(runs, ' ').trim();
}
