import { segmentsOf } from '../../text/segments.ts';

/** How far from the wanted place a cut may be for the sake of a better one. */
const reach = 60;
/** A word with its connectors is not cut unless it is longer. */
const longestWord = 64;

const spaceless = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const word = /[\p{L}\p{N}\p{M}\p{Cs}._\-/@&'’:,+#]/u;
/** Each is a word or a part of one by itself, so a line may break on either side. */
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
/** Neither begins a line (Unicode Standard Annex 14: closing punctuation, nonstarters). */
const neverFirst = /[\p{Pe}\p{Pf}\p{M}、。，．：；？！ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.;:!?%…،؛؟]/u;
const clauseEnd = /[,;:—–，、：；)）]/u;

/** Whether a text may be cut at a place: between words, or between ideographs. Never inside a code point. */
function isBorder(text: string, place: number): boolean {
  if (place <= 0 || place >= text.length) return true;
  const before = text.charAt(place - 1);
  const after = text.charAt(place);
  if (/\s/.test(after)) return true;
  if (isInside(text, place) || neverFirst.test(after)) return false;
  if (/\s/.test(before)) return true;
  return ideograph.test(before) || ideograph.test(after) || !(word.test(before) && word.test(after));
}

/** Whether a place is inside a surrogate pair. */
function isInside(text: string, place: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(place - 1, place + 1));
}

/** The last place at or before `limit`, but never before `least`, at which a text may be cut. */
export function cutBefore(text: string, limit: number, least: number): number {
  const last = Math.max(limit, least);
  if (last >= text.length) return text.length;
  const first = Math.max(least, last - reach);
  const spacelessCut = wordBorders(text, first, last).findLast((place) => place <= last);
  for (let place = last; place >= first; place--) {
    if (place === spacelessCut || isBorder(text, place)) return place;
  }
  return isInside(text, last) ? last + 1 : last;
}

/** The first place at or after `limit`, and not after `most`, at which a text may begin: a clause if one is near. */
export function cutAfter(text: string, limit: number, most: number): number {
  if (limit <= 0) return 0;
  const highest = Math.min(most, limit + reach);
  let first: number | undefined;
  const spacelessCut = wordBorders(text, limit, highest).find((place) => place >= limit);
  for (let place = limit; place <= highest; place++) {
    if (/\s/.test(text.charAt(place)) || (place !== spacelessCut && !isBorder(text, place))) continue;
    if (clauseEnd.test(text.charAt(place - 1))) return place;
    first ??= place;
  }
  return first ?? most;
}

/** Where the words of a text begin that is written without spaces, around two places; empty for other texts. */
function wordBorders(text: string, from: number, to: number): number[] {
  if (!spaceless.test(text.slice(from, to))) return [];
  const start = Math.max(0, from - reach);
  return Array.from(segmentsOf(text.slice(start, to + reach)), ({ index }) => start + index);
}

/** Where the word begins, with its connectors, that a place is in. */
export function wordStart(text: string, place: number): number {
  const least = spaceless.test(text.charAt(place)) ? place : Math.max(0, place - longestWord);
  let start = place;
  while (start > least && !isBorder(text, start)) start--;
  return start;
}

/** Where the word ends, with its connectors, that a place is in or at the end of. */
export function wordEnd(text: string, place: number): number {
  const most = spaceless.test(text.charAt(place)) ? place : Math.min(text.length, place + longestWord);
  let end = place;
  while (end < most && !isBorder(text, end)) end++;
  return end;
}
