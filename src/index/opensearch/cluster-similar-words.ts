import { createDistance } from '../../text/edit-distance.ts';
import { hasSameDigits, hasWordShape, isCorrectable, maxCorrectable } from '../correctable.ts';
import type { SimilarWord, SimilarWordsSearch } from '../page-index.ts';
import type { TermCounts } from '../term-weights.ts';
import type { ClusterAnswer } from './cluster-search.ts';

/** The largest edit distance of the term suggester. */
const maxEdits = 2;
/** Words that are read for each one that is wanted. */
const maxInspections = 20;
/** Words that each shard names: its commonest ones need not be those of all. */
const shardSize = 20;
const suggester = 'similar';

/** A request for words with a similar spelling; undefined if the word is none of letters. */
export function similarWordsRequest({ word, maxDistance, limit }: SimilarWordsSearch): object | undefined {
  if (!hasWordShape(word) || word.length > maxCorrectable) return undefined;
  const term = {
    field: 'terms',
    analyzer: 'keyword',
    suggest_mode: 'always',
    string_distance: 'damerau_levenshtein',
    max_edits: Math.min(maxEdits, maxDistance),
    prefix_length: 1,
    min_word_length: 3,
    max_inspections: maxInspections,
    size: limit,
    shard_size: shardSize,
  };
  return { size: 0, track_total_hits: false, suggest: { [suggester]: { text: word, term } } };
}

/** The suggested words that may be meant, by the rules of `similarWords` of the embedded index. */
export function suggestedWords(
  { suggest }: ClusterAnswer,
  { word, maxDistance }: SimilarWordsSearch,
): Map<string, number> {
  const distanceTo = createDistance(word);
  const found = new Map<string, number>();
  for (const { text } of suggest?.[suggester]?.flatMap(({ options }) => options) ?? []) {
    if (!isCorrectable(text) || !hasSameDigits(word, text)) continue;
    const units = Uint16Array.from(text, (_, index) => text.charCodeAt(index));
    const distance = distanceTo(units, 0, units.length, maxDistance);
    if (distance > 0 && distance <= maxDistance) found.set(text, distance);
  }
  return found;
}

/** The nearest words first, equally near ones by their number of pages. */
export function orderedSimilarWords(
  found: ReadonlyMap<string, number>,
  { documentFrequency }: TermCounts,
  { minPages, limit }: SimilarWordsSearch,
): SimilarWord[] {
  return Array.from(found, ([term, distance]) => ({ term, distance, pages: documentFrequency(term) }))
    .filter(({ pages }) => pages >= minPages)
    .sort((a, b) => a.distance - b.distance || b.pages - a.pages || (a.term < b.term ? -1 : 1))
    .slice(0, limit);
}
