import { noTerm } from '../dictionary/dictionary.ts';
import type { MarkSections, PlainTerms } from '../format.ts';
import { skipsOf } from './invert-positions.ts';
import { ListWriter, PostingWriter } from './list-writer.ts';
import type { PlainPages } from './pack-lists.ts';
import type { RenumberedSource } from './renumber.ts';
import { TermCursor } from './term-cursor.ts';

interface MergedPostings {
  readonly terms: Omit<PlainTerms, 'termBuckets' | 'termStems'>;
  readonly postings: PlainPages;
  readonly titles: PlainPages;
  readonly impacts: Uint8Array;
  readonly positions: Pick<MarkSections, 'positions' | 'positionSkips'>;
  /** For each source: the new numbers of its terms, `noTerm` for terms that are on no living page. */
  readonly termNumbers: readonly Uint32Array[];
}

/** Merges the dictionaries, which have the same order, and the posting lists of equal terms. */
export function mergePostings(sources: readonly RenumberedSource[]): MergedPostings {
  const sum = (sizeOf: (segment: RenumberedSource['segment']) => number): number =>
    sources.reduce((total, { segment }) => total + sizeOf(segment), 0);
  const maxTerms = sum(({ dictionary }) => dictionary.termCount);
  const termHashes = new Uint32Array(maxTerms);
  const termOffsets = new Uint32Array(maxTerms + 1);
  const termText = new Uint8Array(sum(({ dictionary }) => dictionary.termText.length));
  const postingOffsets = new Uint32Array(maxTerms + 1);
  const titleOffsets = new Uint32Array(maxTerms + 1);
  const lists = new PostingWriter(
    sources,
    sum((segment) => segment.impacts.length),
  );
  const titles = new ListWriter();
  const termNumbers = sources.map(({ segment }) =>
    new Uint32Array(segment.dictionary.termCount).fill(noTerm),
  );
  const cursors = sources.map((source) => new TermCursor(source));
  let count = 0;

  for (let group = nextGroup(cursors); group.length > 0; group = nextGroup(cursors)) {
    for (const cursor of group) {
      const { source, term } = cursor;
      lists.addPostings(source, term, cursor.postingStart);
      if (cursor.isInTitle) titles.add(source, source.segment.lists.whole({ term, inTitle: true }));
    }
    lists.sort(group.length);
    titles.sort(group.length);
    const lives = lists.end > (postingOffsets[count] as number);
    if (lives) {
      const [{ source, hash, textStart, textEnd }] = group as [TermCursor];
      const from = source.segment.dictionary.termText;
      let to = termOffsets[count] as number;
      for (let offset = textStart; offset < textEnd; offset++) termText[to++] = from[offset] as number;
      termOffsets[count + 1] = to;
      termHashes[count] = hash;
      postingOffsets[count + 1] = lists.end;
      titleOffsets[count + 1] = titles.end;
    }
    for (const cursor of group) {
      if (lives) (termNumbers[cursors.indexOf(cursor)] as Uint32Array)[cursor.term] = count;
      cursor.advance();
    }
    if (lives) count++;
  }

  const positions = lists.positions.bytes.subarray(0, lists.positions.end);
  return {
    termNumbers,
    terms: {
      termHashes: termHashes.subarray(0, count),
      termOffsets: termOffsets.subarray(0, count + 1),
      termText: termText.subarray(0, termOffsets[count]),
      postingOffsets: postingOffsets.subarray(0, count + 1),
      titleOffsets: titleOffsets.subarray(0, count + 1),
    },
    postings: { pages: lists.pages.subarray(0, lists.end), offsets: postingOffsets.subarray(0, count + 1) },
    titles: { pages: titles.pages.subarray(0, titles.end), offsets: titleOffsets.subarray(0, count + 1) },
    impacts: lists.impacts.subarray(0, lists.end),
    positions: { positions, positionSkips: skipsOf(positions, lists.end) },
  };
}

/** The cursors at the lowest next term; none if all are at their end. */
function nextGroup(cursors: readonly TermCursor[]): TermCursor[] {
  let group: TermCursor[] = [];
  for (const cursor of cursors) {
    if (cursor.isAtEnd()) continue;
    const [lowest] = group;
    const order = lowest === undefined ? -1 : cursor.compare(lowest);
    if (order < 0) group = [cursor];
    else if (order === 0) group.push(cursor);
  }
  return group;
}
