import { conjuncts, isBare } from '../query/bare-words.ts';
import type { Query, Word } from '../query/query.ts';
import { exactShare, inverseDocumentFrequency } from './bm25f.ts';
import { documentFrequency, type Segment } from './segment/reader.ts';

/** The number of pages of a tier, and of those with a term. Dead pages count until they are merged away. */
export interface TermCounts {
  readonly pages: number;
  documentFrequency(term: string): number;
}

export function segmentCounts(segment: Segment): TermCounts {
  return { pages: segment.pageCount, documentFrequency: (term) => documentFrequency(segment, term) };
}

/** The counts over several tiers; each page is in one of them. */
export function sumOfCounts(tiers: readonly TermCounts[]): TermCounts {
  return {
    pages: tiers.reduce((sum, { pages }) => sum + pages, 0),
    documentFrequency: (term) => tiers.reduce((sum, tier) => sum + tier.documentFrequency(term), 0),
  };
}

/** A word that was typed more often counts no more than this many times. */
const maxRepeats = 2;

/**
 * How much every term that the query wants counts: its idf, its word's weight, its share. Excluded words do not. What
 * was typed twice, bare, counts twice.
 */
export function termWeights(query: Query, counts: TermCounts): Map<string, number> {
  const weights = new Map<string, number>();
  const repeats = repeatsOf(query);
  const add = (term: string, share: number): void => {
    const idf = inverseDocumentFrequency(counts.documentFrequency(term), counts.pages);
    weights.set(term, Math.max(weights.get(term) ?? 0, share * idf));
  };
  for (const { term, stem, weight: once } of wantedWords(query)) {
    const weight = once * Math.min(maxRepeats, repeats.get(term) ?? 1);
    add(term, stem === null ? weight : weight * exactShare);
    if (stem !== null) add(stem, weight * (1 - exactShare));
  }
  return weights;
}

/** How often each word that a page must hold was typed, bare at the top of the query. */
function repeatsOf(query: Query): Map<string, number> {
  const repeats = new Map<string, number>();
  for (const { words } of conjuncts(query).filter(isBare))
    for (const { term, required } of words) if (required) repeats.set(term, (repeats.get(term) ?? 0) + 1);
  return repeats;
}

/**
 * How much it tells that a page holds all of these: the idf of the rarest of them, in its commonest form. 0 where one
 * of them stands on no page.
 */
export function rarity(words: readonly Word[], counts: TermCounts): number {
  let rarest = 0;
  for (const { term, stem } of words) {
    const exact = counts.documentFrequency(term);
    const frequency = stem === null ? exact : Math.max(exact, counts.documentFrequency(stem));
    if (frequency === 0) return 0;
    rarest = Math.max(rarest, inverseDocumentFrequency(frequency, counts.pages));
  }
  return rarest;
}

function wantedWords(query: Query): readonly Word[] {
  switch (query.kind) {
    case 'words':
    case 'title':
      return query.words;
    case 'all':
    case 'any':
      return query.of.flatMap(wantedWords);
    default:
      return [];
  }
}
