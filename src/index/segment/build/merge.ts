import type { PerField } from '../../bm25f.ts';
import { columnSections, markColumns } from '../columns.ts';
import { compactTerms } from '../dictionary/compact-terms.ts';
import type { FilePieces } from '../file-pieces.ts';
import { writeSections } from '../format.ts';
import { mergePostings } from './merge-postings.ts';
import { mergeStems } from './merge-stems.ts';
import { packLists } from './pack-lists.ts';
import { type MergeSource, renumber } from './renumber.ts';

export type { MergeSource };

/**
 * The segment file that `buildSegment` would build from the living pages of all sources, without their texts.
 * Throws `RangeError` if the sources were packed with different averages or one of them has no marks, if there are more than
 * 65,536 living pages, or if two of them have the same id.
 */
export function mergeSegments(sources: readonly MergeSource[]): FilePieces {
  const averageLengths = commonAverages(sources);
  const { renumbered, columns } = renumber(sources);
  const { termNumbers, terms, postings, titles, impacts, positions } = mergePostings(renumbered);
  const { postingPages, ...long } = packLists([postings, titles], columns.length);
  const langs = columns.map(({ lang }) => lang);
  return writeSections({
    averageLengths: Float64Array.from(averageLengths),
    terms: {
      ...compactTerms({
        ...terms,
        termStems: mergeStems({ sources: renumbered, termNumbers, terms, postings, langs }),
      }),
      ...long,
    },
    postingPages,
    impacts,
    ...columnSections(columns),
    marks: { ...positions, ...markColumns(columns) },
  });
}

function commonAverages(sources: readonly MergeSource[]): PerField {
  const [first] = sources;
  if (!first) throw new RangeError('nothing to merge');
  const { averageLengths } = first.segment;
  for (const { segment } of sources) {
    if (segment.averageLengths.some((average, field) => average !== averageLengths[field]))
      throw new RangeError('the segments were packed with different average lengths');
  }
  return averageLengths;
}
