import { noTerm } from '../dictionary.ts';
import type { MarkSections, Sections } from '../format.ts';
import { compareBytes } from '../term-bytes.ts';
import { skipsOf } from './invert-positions.ts';
import { ListWriter, PostingWriter } from './list-writer.ts';
import type { RenumberedSource } from './renumber.ts';

type PostingSections = Pick<
  Sections,
  'termHashes' | 'termOffsets' | 'termText' | 'postingOffsets' | 'titleOffsets' | 'postingPages' | 'impacts'
> &
  Pick<MarkSections, 'positions' | 'positionSkips'>;

type MergedPostings = PostingSections & {
  /** For each source: the new numbers of its terms, `noTerm` for terms that are on no living page. */
  readonly termNumbers: readonly Uint32Array[];
};

/** Merges the dictionaries, which have the same order, and the posting lists of equal terms. */
export function mergePostings(sources: readonly RenumberedSource[]): MergedPostings {
  const sum = (sizeOf: (segment: RenumberedSource['segment']) => number): number =>
    sources.reduce((total, { segment }) => total + sizeOf(segment), 0);
  const maxTerms = sum(({ termCount }) => termCount);
  const termHashes = new Uint32Array(maxTerms);
  const termOffsets = new Uint32Array(maxTerms + 1);
  const termText = new Uint8Array(sum((segment) => segment.termText.length));
  const postingOffsets = new Uint32Array(maxTerms + 1);
  const titleOffsets = new Uint32Array(maxTerms + 1);
  const lists = new PostingWriter(
    sources,
    sum((segment) => segment.impacts.length),
  );
  const titles = new ListWriter(sum((segment) => segment.postingPages.length - segment.impacts.length));
  const termNumbers = sources.map(({ segment }) => new Uint32Array(segment.termCount).fill(noTerm));
  const heads = sources.map(() => 0);
  let count = 0;

  for (let group = nextGroup(sources, heads); group.length > 0; group = nextGroup(sources, heads)) {
    for (const source of group) {
      const renumbered = sources[source] as RenumberedSource;
      const term = heads[source] as number;
      lists.add(renumbered, renumbered.segment.postingOffsets, term);
      titles.add(renumbered, renumbered.segment.titleOffsets, term);
    }
    lists.sort(group.length);
    titles.sort(group.length);
    const lives = lists.end > (postingOffsets[count] as number);
    for (const source of group) {
      const { segment } = sources[source] as RenumberedSource;
      const term = heads[source] as number;
      heads[source] = term + 1;
      if (!lives) continue;
      (termNumbers[source] as Uint32Array)[term] = count;
      const start = segment.termOffsets[term] as number;
      const text = segment.termText.subarray(start, segment.termOffsets[term + 1]);
      termText.set(text, termOffsets[count]);
      termOffsets[count + 1] = (termOffsets[count] as number) + text.length;
      termHashes[count] = segment.termHashes[term] as number;
    }
    if (!lives) continue;
    count++;
    postingOffsets[count] = lists.end;
    titleOffsets[count] = titles.end;
  }

  const postingPages = new Uint16Array(lists.end + titles.end);
  postingPages.set(lists.pages.subarray(0, lists.end));
  postingPages.set(titles.pages.subarray(0, titles.end), lists.end);
  const positions = lists.positions.bytes.subarray(0, lists.positions.end);
  return {
    termNumbers,
    termHashes: termHashes.subarray(0, count),
    termOffsets: termOffsets.subarray(0, count + 1),
    termText: termText.subarray(0, termOffsets[count]),
    postingOffsets: postingOffsets.subarray(0, count + 1),
    titleOffsets: titleOffsets.subarray(0, count + 1).map((offset) => offset + lists.end),
    postingPages,
    impacts: lists.impacts.subarray(0, lists.end),
    positions,
    positionSkips: skipsOf(positions, lists.end),
  };
}

/** The sources with the lowest next term; none if all sources are at their end. */
function nextGroup(sources: readonly RenumberedSource[], heads: readonly number[]): number[] {
  let group: number[] = [];
  for (const [source, { segment }] of sources.entries()) {
    if ((heads[source] as number) >= segment.termCount) continue;
    const [lowest] = group;
    const order = lowest === undefined ? -1 : compareHeads(sources, heads, source, lowest);
    if (order < 0) group = [source];
    else if (order === 0) group.push(source);
  }
  return group;
}

function compareHeads(
  sources: readonly RenumberedSource[],
  heads: readonly number[],
  one: number,
  other: number,
): number {
  const { segment: a } = sources[one] as RenumberedSource;
  const { segment: b } = sources[other] as RenumberedSource;
  const i = heads[one] as number;
  const j = heads[other] as number;
  return (
    (a.termHashes[i] as number) - (b.termHashes[j] as number) ||
    compareBytes(
      a.termText,
      a.termOffsets[i] as number,
      a.termOffsets[i + 1] as number,
      b.termText,
      b.termOffsets[j] as number,
      b.termOffsets[j + 1] as number,
    )
  );
}
