import { searchBlock } from './block.ts';
import { type Clause, conjunctsOf } from './clause.ts';
import { AllDocSet, AnyDocSet, type DocSet, EveryPageSet, FilteredDocSet, PostingCursor } from './doc-set.ts';
import type { Segment } from './reader.ts';

/** The pages that all clauses match, read page by page. */
export function docSetOf(segment: Segment, clauses: readonly Clause[]): DocSet {
  const sets = clauses.map((clause) => clauseSet(segment, clause));
  const [only] = sets;
  if (!only) return new EveryPageSet(segment.pageCount);
  return sets.length === 1 ? only : new AllDocSet(segment.pageCount, sets);
}

function clauseSet(segment: Segment, clause: Clause): DocSet {
  switch (clause.kind) {
    case 'lists': {
      const cursors = clause.keys.map(
        (key) => new PostingCursor(segment.lists.open(key, searchBlock.decoded)),
      );
      const [only] = cursors;
      return only && cursors.length === 1 ? only : new AnyDocSet(cursors);
    }
    case 'test':
      return new FilteredDocSet(segment.pageCount, clause.test);
    case 'all':
      return docSetOf(segment, clause.of);
    case 'any':
      return new AnyDocSet(clause.of.map((part) => clauseSet(segment, part)));
    case 'not': {
      const excluded = docSetOf(segment, conjunctsOf(clause.of));
      return new FilteredDocSet(segment.pageCount, (page) => !excluded.test(page));
    }
  }
}
