import type { CompactTerms, PlainTerms } from '../format.ts';
import { packCounts } from './counted-ranges.ts';
import { noTerm } from './dictionary.ts';
import { packBits } from './ranked-bits.ts';

/** Maximum number of terms in a bucket, on average. Their tags are in one cache line. */
const bucketTerms = 8;

/** The dictionary of sorted terms as a file has it. */
export function compactTerms(terms: Omit<PlainTerms, 'termBuckets'>): CompactTerms {
  const { termHashes, termOffsets, termText, termStems, postingOffsets, titleOffsets } = terms;
  const size = termHashes.length;
  const texts = packCounts(termOffsets);
  const postings = packCounts(postingOffsets);
  const isInTitle = (term: number): boolean =>
    (titleOffsets[term + 1] as number) > (titleOffsets[term] as number);
  const titles = packCounts(titleOffsets.filter((_, term) => term === size || isInTitle(term)));
  return {
    termBuckets: bucketsOf(termHashes),
    termTags: new Uint8Array(termHashes),
    termLengths: texts.counts,
    termStarts: texts.starts,
    termText,
    stemBits: packBits(size, (term) => termStems[term] !== noTerm),
    termStems: termStems.filter((stem) => stem !== noTerm),
    postingCounts: postings.counts,
    postingStarts: postings.starts,
    titleBits: packBits(size, isInTitle),
    titleCounts: titles.counts,
    titleStarts: titles.starts,
  };
}

/** The buckets over sorted hashes: as few as a power of two can be with `bucketTerms` or fewer each on average, at least two. */
export function bucketsOf(sortedHashes: Uint32Array): Uint32Array {
  const bits = Math.max(1, Math.ceil(Math.log2(Math.max(1, sortedHashes.length / bucketTerms))));
  const buckets = new Uint32Array(2 ** bits + 1);
  for (const hash of sortedHashes) {
    const next = (hash >>> (32 - bits)) + 1;
    buckets[next] = (buckets[next] as number) + 1;
  }
  for (let index = 1; index < buckets.length; index++) {
    buckets[index] = (buckets[index] as number) + (buckets[index - 1] as number);
  }
  return buckets;
}
