/** The fields of a page, in the order of all per-field arrays of this folder. */
export const fields = ['title', 'headings', 'url', 'body'] as const;

/** One number for each field, in the order of `fields`. */
export type PerField = readonly [title: number, headings: number, url: number, body: number];

/** The weight of one occurrence in each field. */
const fieldWeights: PerField = [4, 2, 1.5, 1];

/** BM25F's b of each field, 0 to 1: how much a long field lowers the score. Titles and URLs are short by nature. */
const lengthNormalization: PerField = [0.4, 0.5, 0.2, 0.75];

/** The share of a word's score that only its exact form earns; any form earns the rest. See docs/relevance.md. */
export const exactShare = 0.1;

/** The saturation of term frequency, the usual value. */
export const k1 = 1.2;

/**
 * Inverse document frequency as in Lucene's BM25Similarity: the +1 keeps it positive for words on more than half of the
 * pages.
 */
export function inverseDocumentFrequency(documentFrequency: number, documents: number): number {
  return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/**
 * The term-frequency part of BM25F, to be multiplied by the idf: field frequencies are normalized by length, weighted
 * and summed before they saturate (Robertson, Zaragoza, Taylor: Simple BM25 Extension to Multiple Weighted
 * Fields, 2004). From 0 to `k1 + 1`.
 */
export function saturatedFrequency(
  frequencies: PerField,
  lengths: PerField,
  averageLengths: PerField,
): number {
  let weighted = 0;
  for (let field = 0; field < 4; field++) {
    const frequency = frequencies[field] as number;
    if (frequency === 0) continue;
    weighted +=
      frequency * occurrenceWeight(field, lengths[field] as number, averageLengths[field] as number);
  }
  return saturate(weighted);
}

/** The weight of one occurrence in a field of this length. */
export function occurrenceWeight(field: number, length: number, averageLength: number): number {
  const b = lengthNormalization[field] as number;
  return (fieldWeights[field] as number) / (1 - b + (b * length) / (averageLength || 1));
}

/** The term-frequency part for the sum of a term's weighted occurrences over all fields. */
export function saturate(weighted: number): number {
  return (weighted * (k1 + 1)) / (weighted + k1);
}
