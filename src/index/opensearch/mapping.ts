import { z } from 'zod';
import { termsVersion } from '../packed/terms-version.ts';

/** Increased when pages are indexed in another form, so that a new generation has to be built. */
export const clusterFormat = 1;

/** What is fixed for a generation, in `_meta` of its mapping. */
export const GenerationMeta = z.object({
  format: z.int().min(1),
  /** The version of the rules by which pages were tokenized. */
  termsVersion: z.int().min(1),
  /** The field lengths that the impacts of all pages are normalized by. */
  averageLengths: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly(),
  /** The number of pages when they were computed. */
  averagedOver: z.int().min(0),
  /** Whether it begins to answer as soon as it is complete; else when an operator says so. */
  swap: z.enum(['auto', 'manual']),
});
export type GenerationMeta = z.infer<typeof GenerationMeta>;

/** How the pages are spread over a cluster. */
export interface ClusterShape {
  readonly shards: number;
  /** Copies besides the first; fewer where the cluster has too few nodes. */
  readonly replicas: number;
}

/** What an operator meets as "within a few seconds": how late searches are. */
const refreshInterval = '5s';

/**
 * Removed pages are remembered for this long, so that a late write of an earlier version does not bring one back. No
 * write is repeated for longer than `maxRetryMs`, half of it.
 */
const gcDeletes = '1h';

/** The settings of a generation that answers searches. */
export function servingSettings({ replicas }: ClusterShape) {
  return { auto_expand_replicas: `0-${replicas}`, refresh_interval: refreshInterval };
}

/** The settings of a generation that is being filled: everything is written once. */
const loadingSettings = { auto_expand_replicas: false, number_of_replicas: 0, refresh_interval: '-1' };

/**
 * The index of a generation. A term of a page is sent once, as `term|impact`, and its impact is stored as its frequency.
 * The similarity is linear, so scores are those of a packed segment on every shard and copy. `_source` is not kept, but
 * its recovery copy is: without it, copies that recover while pages are written lose terms.
 */
export function generationBody(
  shape: ClusterShape,
  meta: Omit<GenerationMeta, 'format' | 'termsVersion'>,
  answers: boolean,
) {
  const keyword = { type: 'keyword', doc_values: false, ignore_above: maxKeywordBytes };
  const stored = { type: 'keyword', index: false, doc_values: false, store: true };
  const given = { type: 'text', search_analyzer: 'keyword', norms: false };
  return {
    settings: {
      index: {
        number_of_shards: shape.shards,
        gc_deletes: gcDeletes,
        ...(answers ? servingSettings(shape) : loadingSettings),
      },
      similarity: { impact: { type: 'scripted', script: { source: 'return query.boost * doc.freq' } } },
      analysis: {
        filter: { tf: { type: 'delimited_term_freq', delimiter: impactDelimiter } },
        analyzer: {
          given: { type: 'custom', tokenizer: 'whitespace', filter: ['tf'] },
          plain: { type: 'custom', tokenizer: 'whitespace' },
        },
      },
    },
    mappings: {
      dynamic: 'strict',
      _source: { enabled: false },
      _meta: { format: clusterFormat, termsVersion, ...meta } satisfies GenerationMeta,
      properties: {
        terms: { ...given, analyzer: 'given', index_options: 'freqs', similarity: 'impact' },
        title_terms: { ...given, analyzer: 'plain', index_options: 'docs' },
        hosts: keyword,
        paths: keyword,
        type: keyword,
        lang: keyword,
        copy: { type: 'boolean', doc_values: false },
        at: { type: 'long' },
        id: { type: 'keyword', index: false },
        head: stored,
        text: stored,
        whole: stored,
        structure: stored,
      },
    },
  };
}

/** A longer path is left out, where a cluster would refuse the whole page. */
const maxKeywordBytes = 32_766;

/** Among the types of a page that was read with credentials; no file type. */
export const privateType = 'private';

/** Stands between a term and its impact. Terms that contain it are not indexed. */
export const impactDelimiter = '|';
