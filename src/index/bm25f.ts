/** The parts of a page that words are counted in, in the order of every per-field array of this folder. */
export const fields = ['title', 'headings', 'url', 'body'] as const;

/** One number a field, in the order of `fields`. */
export type PerField = readonly [title: number, headings: number, url: number, body: number];

/** How much one occurrence counts in each field. */
export const fieldWeights: PerField = [4, 2, 1.5, 1];

/** How much a field's length counts against it, 0 to 1: titles and URLs are short by nature. */
export const lengthNormalization: PerField = [0.4, 0.5, 0.2, 0.75];

/** The part of a word's score that its exact form earns; any form of it earns the rest. See docs/relevance.md. */
export const exactShare = 0.1;

/** The saturation of term frequency, the usual value. */
export const k1 = 1.2;

/**
 * Inverse document frequency with the +1 that keeps it positive for words of more than half of the pages
 * (Lucene's BM25Similarity).
 */
export function inverseDocumentFrequency(documentFrequency: number, documents: number): number {
  return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/**
 * The term-frequency part of BM25F, to be multiplied by the idf: field frequencies are normalised by length, weighted
 * and added up before they saturate (Robertson, Zaragoza, Taylor: Simple BM25 Extension to Multiple Weighted
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

/** How much one occurrence counts in a field of this length. */
export function occurrenceWeight(field: number, length: number, averageLength: number): number {
  const b = lengthNormalization[field] as number;
  return (fieldWeights[field] as number) / (1 - b + (b * length) / (averageLength || 1));
}

/** From the weighted occurrences of a term, over all fields, to its term-frequency part. */
export function saturate(weighted: number): number {
  return (weighted * (k1 + 1)) / (weighted + k1);
}
