import { segmentsOf } from '../segments.ts';
import type { TextSource } from './text-source.ts';

/** Maximum distance of a cut from the requested offset, in UTF-16 units. */
const reach = 60;
/** Only words that are longer than this, with their connectors, may be cut. */
const maxWordLength = 64;

const spaceless = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const word = /[\p{L}\p{N}\p{M}\p{Cs}._\-/@&'’:,+#]/u;
/** Two of them are in one word, which is nearly all that is looked at. */
const plain = /^[a-zA-Z\d]$/;
/** Each is a word or a part of one, so a line may break on either side. */
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
/** Neither begins a line (Unicode Standard Annex 14: closing punctuation, nonstarters). */
const neverFirst = /[\p{Pe}\p{Pf}\p{M}、。，．：；？！ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?%…،؛؟]/u;
const clauseEnd = /[,;:—–，、：；)）]/u;

/** Whether a text may be cut at an offset: between words, or between ideographs. Never inside a code point. */
function isBorder(text: TextSource, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return true;
  const before = text.charAt(offset - 1);
  const after = text.charAt(offset);
  if (plain.test(before) && plain.test(after)) return false;
  if (/\s/.test(after)) return true;
  if (isInside(text, offset) || neverFirst.test(after)) return false;
  if (/\s/.test(before)) return true;
  return ideograph.test(before) || ideograph.test(after) || !(word.test(before) && word.test(after));
}

/** Whether an offset is inside a surrogate pair. */
function isInside(text: TextSource, offset: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(offset - 1, offset + 1));
}

/** The last offset at or before `limit`, but not before `minOffset`, at which a text may be cut. */
export function cutBefore(text: TextSource, limit: number, minOffset: number): number {
  const last = Math.max(limit, minOffset);
  if (last >= text.length) return text.length;
  const first = Math.max(minOffset, last - reach);
  const spacelessCut = wordBorders(text, first, last).findLast((offset) => offset <= last);
  for (let offset = last; offset >= first; offset--) {
    if (offset === spacelessCut || isBorder(text, offset)) return offset;
  }
  return isInside(text, last) ? last + 1 : last;
}

/** The first offset from `limit` to `maxOffset` at which an excerpt may begin: at a clause if one is near. */
export function cutAfter(text: TextSource, limit: number, maxOffset: number): number {
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

/** The starts of words around a range, in scripts without spaces; empty for other texts. */
function wordBorders(text: TextSource, from: number, to: number): number[] {
  if (!spaceless.test(text.slice(from, to))) return [];
  const start = Math.max(0, from - reach);
  return Array.from(segmentsOf(text.slice(start, to + reach)), ({ index }) => start + index);
}

/** The start of the word at an offset, with its connectors. */
export function wordStart(text: TextSource, offset: number): number {
  const minOffset = spaceless.test(text.charAt(offset)) ? offset : Math.max(0, offset - maxWordLength);
  let start = offset;
  while (start > minOffset && !isBorder(text, start)) start--;
  return start;
}

/** The end of the word, with its connectors, that an offset is in or at the end of. */
export function wordEnd(text: TextSource, offset: number): number {
  const maxOffset = spaceless.test(text.charAt(offset))
    ? offset
    : Math.min(text.length, offset + maxWordLength);
  let end = offset;
  while (end < maxOffset && !isBorder(text, end)) end++;
  return end;
}
