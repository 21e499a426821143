import { primarySubtag } from '../../text/language/language.ts';
import { cutBefore } from '../../text/line/text-boundaries.ts';
import { findTerms } from '../../text/occurrences/find-terms.ts';
import { Occurrences } from '../../text/occurrences/occurrences.ts';
import {
  createParagraphs,
  type ParagraphSource,
  type Paragraphs,
  sentenceIndexAt,
} from '../../text/passages/paragraphs.ts';
import { createSentenceTable } from '../../text/passages/sentence-table.ts';
import type { Stretch } from '../../text/passages/sentences.ts';
import { queryWords } from '../../text/terms.ts';
import { scorePassages, wordWeights } from './passages.ts';

export interface PassageSource extends ParagraphSource {
  readonly lang: string;
}

export interface PassageSearch {
  /** The words to find. Operators have no meaning, and a passage need not have all words. */
  readonly words: string;
  /** Passages begin at or after this offset. */
  readonly start: number;
  readonly maxPassages: number;
  /** Maximum length of a passage, in UTF-16 units. A longer sentence is cut. */
  readonly maxLength: number;
}

/** Scan limits, for the time of a call: characters from `start` on, and occurrences of each word. */
const maxScannedLength = 2_000_000;
const maxMatchesPerWord = 2000;
/** Maximum number of sentences that are considered as the core of a passage. */
const maxCores = 200;
/** The weight of a stem, relative to the exact form. */
const stemShare = 0.5;

/**
 * The passages of a text that have most of the words, best first, without overlaps: whole sentences with their
 * surroundings, up to `maxLength`. Words that are rare in this text have more weight. Offsets are into the body. Empty if
 * none of the words is in the two million characters from `start` on.
 */
export function findPassages(source: PassageSource, search: PassageSearch): Stretch[] {
  const { body } = source;
  const { words, maxPassages, maxLength } = search;
  const isInsidePair = (body.codePointAt(search.start - 1) ?? 0) > 0xffff;
  const start = search.start + (isInsidePair ? 1 : 0);
  const matches = findWords(source, words, start);
  if (matches.length === 0) return [];
  const weights = wordWeights(matches);
  const paragraphs = createParagraphs(source);
  const cores = scorePassages(createSentenceTable(source), matches, weights)
    .sort((one, other) => other.score - one.score)
    .slice(0, maxCores);

  const passages = cores.map((core) => {
    const around = surroundings(body, paragraphs, core, { start, maxLength });
    const held = new Set<number>();
    for (let index = firstFrom(matches, around.start); index < matches.length; index++) {
      if (matches.startOf(index) >= around.end) break;
      if (matches.endOf(index) <= around.end) held.add(matches.formOf(index).number);
    }
    const weight = [...held].reduce((sum, word) => sum + (weights[word] ?? 0), 0);
    return { ...around, score: weight + core.score };
  });
  const best: Stretch[] = [];
  for (const { start: from, end } of passages.sort((one, other) => other.score - one.score)) {
    if (best.length === maxPassages) break;
    if (best.every((other) => end <= other.start || from >= other.end)) best.push({ start: from, end });
  }
  return best;
}

/** The occurrences of the words, weighted by their rarity in the text. */
function findWords({ body, lang: langTag }: PassageSource, words: string, start: number): Occurrences {
  const lang = primarySubtag(langTag);
  const terms = new Map<string, number>();
  for (const { term, stem, required } of queryWords(words, { quoted: false, lang })) {
    if (!required) continue;
    terms.set(term, 1);
    if (stem !== null) terms.set(stem, stemShare);
  }
  const scannedText = body.slice(start, start + maxScannedLength);
  const found = terms.size === 0 ? [] : findTerms(scannedText, terms, lang, maxMatchesPerWord);
  const counts = new Map<string, number>();
  for (const { word } of found) counts.set(word, (counts.get(word) ?? 0) + 1);
  const matches = new Occurrences();
  for (const form of found) {
    const weight = form.weight / (1 + Math.log2(counts.get(form.word) as number));
    matches.add(form.start + start, form.end + start, { ...form, weight });
  }
  return matches;
}

/** The index of the first match that begins at or after an offset. */
function firstFrom(matches: Occurrences, offset: number): number {
  let low = 0;
  let high = matches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (matches.startOf(middle) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Extends a stretch by whole sentences, first those after it, then those before it, then by whole paragraphs after it. */
function surroundings(
  body: string,
  paragraphs: Paragraphs,
  core: Stretch,
  { start: first, maxLength }: { readonly start: number; readonly maxLength: number },
): Stretch {
  const opening = paragraphs.at(core.start);
  const sentences = opening?.sentences ?? [];
  const index = opening ? sentenceIndexAt(opening, core.start) : 0;
  const own = sentences[index] ?? core;
  const whole = Math.max(own.end, core.end);
  let start = core.end - own.start <= maxLength ? Math.max(first, own.start) : core.start;
  let end = whole - start <= maxLength ? whole : cutBefore(body, start + maxLength, core.end);
  for (let next = index + 1; next < sentences.length && end >= whole; next++) {
    const sentence = sentences[next] as Stretch;
    if (sentence.end - start > maxLength) break;
    end = Math.max(end, sentence.end);
  }
  for (let before = index - 1; before >= 0 && start <= own.start; before--) {
    const sentence = sentences[before] as Stretch;
    if (sentence.start < first || end - sentence.start > maxLength) break;
    start = sentence.start;
  }
  const isWhole = (paragraph: Stretch) => paragraph.start >= start && paragraph.end <= end;
  for (let last = paragraphs.at(end - 1); last && isWhole(last); ) {
    const next = paragraphs.from(last.end);
    if (!next || next.kind === 'heading' || next.end - start > maxLength) break;
    end = next.end;
    last = next;
  }
  return { start, end: Math.max(end, start + 1) };
}
