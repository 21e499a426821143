import type { CompactTerms, ListSections, PlainTerms } from '../format.ts';
import { compareBytes, encodeTerm, hashBytes } from '../term-bytes.ts';
import { CountedRanges } from './counted-ranges.ts';
import { type LongRanges, OffsetRanges, type Ranges } from './ranges.ts';
import { RankedBits } from './ranked-bits.ts';
import { TitleRanges } from './title-ranges.ts';

/** The distinct terms of a segment, sorted by hash, then by bytes. A term's number is its index in that order. */
export interface Dictionary {
  readonly termCount: number;
  /** The first term of each range of hashes: bucket `hash >>> shift` has the terms from its entry to the next one's. */
  readonly termBuckets: Uint32Array;
  /** The hash of each term, or its lowest byte. */
  readonly tags: Uint8Array | Uint32Array;
  readonly termText: Uint8Array;
  /** The bytes of the terms in `termText`. */
  readonly texts: Ranges;
  /** The range of each term's postings. Impacts and positions are in the order of postings. */
  readonly postings: Ranges;
  /** The range of each term's title postings. Their numbers go on after the last posting. */
  readonly titles: Ranges;
  /** The term that is the stem of this one on every page that holds it, or `noTerm`. */
  stemOf(term: number): number;
}

/** The dictionary of a file from version 3 on, whose long lists have forms of their own. */
export interface CompactDictionary extends Dictionary {
  readonly postings: LongRanges;
  readonly titles: LongRanges;
}

/** In place of a term number: there is none. */
export const noTerm = 0xffff_ffff;

/** The dictionary as files of versions 1 and 2 have it, and as it is before it is packed: a number for each term and column. */
export function plainDictionary(terms: PlainTerms): Dictionary {
  const { termBuckets, termHashes, termOffsets, termText, termStems } = terms;
  return {
    termCount: termHashes.length,
    termBuckets,
    tags: termHashes,
    termText,
    texts: new OffsetRanges(termOffsets),
    postings: new OffsetRanges(terms.postingOffsets),
    titles: new OffsetRanges(terms.titleOffsets),
    stemOf: (term) => termStems[term] as number,
  };
}

/** The dictionary as files have it from version 3 on. */
export function compactDictionary(
  terms: CompactTerms,
  { impacts }: Pick<ListSections, 'impacts'>,
): CompactDictionary {
  const { termBuckets, termTags, termText, termStems } = terms;
  const stems = new RankedBits(terms.stemBits);
  const titles = new CountedRanges({ counts: terms.titleCounts, starts: terms.titleStarts });
  return {
    termCount: termTags.length,
    termBuckets,
    tags: termTags,
    termText,
    texts: new CountedRanges({ counts: terms.termLengths, starts: terms.termStarts }),
    postings: new CountedRanges({ counts: terms.postingCounts, starts: terms.postingStarts }),
    titles: new TitleRanges(new RankedBits(terms.titleBits), titles, impacts.length),
    stemOf: (term) => (stems.has(term) ? (termStems[stems.rank(term)] as number) : noTerm),
  };
}

let scratch = new Uint8Array(1024);

/** The number of a term; -1 if the segment does not have it. */
export function findTerm(dictionary: Dictionary, term: string): number {
  const { termCount, termBuckets, tags, termText, texts } = dictionary;
  if (scratch.length < term.length * 3) scratch = new Uint8Array(term.length * 3);
  const length = encodeTerm(term, scratch, 0);
  const hash = hashBytes(scratch, 0, length);
  const bucket = hash >>> (32 - Math.log2(termBuckets.length - 1));
  const tag = tags.BYTES_PER_ELEMENT === 1 ? hash & 0xff : hash;
  // In a file that was opened unchecked, the bucket may be damaged.
  const last = Math.min(termBuckets[bucket + 1] as number, termCount);
  for (let index = termBuckets[bucket] as number; index < last; index++) {
    if (tags[index] !== tag || texts.count(index) !== length) continue;
    const start = texts.start(index);
    if (compareBytes(termText, start, start + length, scratch, 0, length) === 0) return index;
  }
  return -1;
}
