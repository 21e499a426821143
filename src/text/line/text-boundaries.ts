import { segmentsOf } from '../segments.ts';

/** How far from the wanted place a cut may be for the sake of a better one. */
const reach = 60;
/** A word with its connectors is not cut unless it is longer. */
const maxWordLength = 64;

const spaceless = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const word = /[\p{L}\p{N}\p{M}\p{Cs}._\-/@&'’:,+#]/u;
/** Each is a word or a part of one by itself, so a line may break on either side. */
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
/** Neither begins a line (Unicode Standard Annex 14: closing punctuation, nonstarters). */
const neverFirst = /[\p{Pe}\p{Pf}\p{M}、。，．：；？！ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?%…،؛؟]/u;
const clauseEnd = /[,;:—–，、：；)）]/u;

/** Whether a text may be cut at a place: between words, or between ideographs. Never inside a code point. */
function isBorder(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return true;
  const before = text.charAt(offset - 1);
  const after = text.charAt(offset);
  if (/\s/.test(after)) return true;
  if (isInside(text, offset) || neverFirst.test(after)) return false;
  if (/\s/.test(before)) return true;
  return ideograph.test(before) || ideograph.test(after) || !(word.test(before) && word.test(after));
}

/** Whether a place is inside a surrogate pair. */
function isInside(text: string, offset: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(offset - 1, offset + 1));
}

/** The last place at or before `limit`, but never before `least`, at which a text may be cut. */
export function cutBefore(text: string, limit: number, minOffset: number): number {
  const last = Math.max(limit, minOffset);
  if (last >= text.length) return text.length;
  const first = Math.max(minOffset, last - reach);
  const spacelessCut = wordBorders(text, first, last).findLast((offset) => offset <= last);
  for (let offset = last; offset >= first; offset--) {
    if (offset === spacelessCut || isBorder(text, offset)) return offset;
  }
  return isInside(text, last) ? last + 1 : last;
}

/** The first place at or after `limit`, and not after `most`, at which a text may begin: a clause if one is near. */
export function cutAfter(text: string, limit: number, maxOffset: number): number {
  if (limit <= 0) return 0;
  const highest = Math.min(maxOffset, limit + reach);
  let first: number | undefined;
  const spacelessCut = wordBorders(text, limit, highest).find((offset) => offset >= limit);
  for (let offset = limit; offset <= highest; offset++) {
    if (/\s/.test(text.charAt(offset)) || (offset !== spacelessCut && !isBorder(text, offset))) continue;
    if (clauseEnd.test(text.charAt(offset - 1))) return offset;
    first ??= offset;
  }
  return first ?? maxOffset;
}

/** Where the words of a text begin that is written without spaces, around two places; empty for other texts. */
function wordBorders(text: string, from: number, to: number): number[] {
  if (!spaceless.test(text.slice(from, to))) return [];
  const start = Math.max(0, from - reach);
  return Array.from(segmentsOf(text.slice(start, to + reach)), ({ index }) => start + index);
}

/** Where the word begins, with its connectors, that a place is in. */
export function wordStart(text: string, offset: number): number {
  const minOffset = spaceless.test(text.charAt(offset)) ? offset : Math.max(0, offset - maxWordLength);
  let start = offset;
  while (start > minOffset && !isBorder(text, start)) start--;
  return start;
}

/** Where the word ends, with its connectors, that a place is in or at the end of. */
export function wordEnd(text: string, offset: number): number {
  const maxOffset = spaceless.test(text.charAt(offset))
    ? offset
    : Math.min(text.length, offset + maxWordLength);
  let end = offset;
  while (end < maxOffset && !isBorder(text, end)) end++;
  return end;
}
