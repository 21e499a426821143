import type { Query, Word } from '../../query/query.ts';
import type { IndexSearch } from '../page-index.ts';
import type { BlockSource } from './block.ts';
import { AnyDocSet, type DocSet, EveryPageSet } from './doc-set.ts';
import { ListUnion } from './list-union.ts';
import type { PageSet } from './page-set.ts';
import { crawledSinceTest, langTest, livingTest, type PageTest, siteTest, typeTest } from './page-tests.ts';
import { PostingList } from './posting-list.ts';
import { listCursor, queryMatcher, wordTerms } from './query-matcher.ts';
import type { Segment } from './reader.ts';

/** The part of a search that decides which pages match. */
export interface Filters extends Omit<IndexSearch, 'limit' | 'explain' | 'prefer'> {
  /** Whether copies of other hosts' pages match as well, as they do in searches that name a site. */
  readonly copies?: boolean;
  /** Pages that are to be left out. */
  readonly dead?: PageSet;
  /** If given, it supplies all candidates, and each of them is tested for all parts of the query. */
  readonly within?: BlockSource;
}

/** Posting lists. A page must be in one of them or, with `mustMatch` false, in none. */
export interface ListGroup {
  readonly mustMatch: boolean;
  readonly lists: readonly PostingList[];
}

/** How one segment is searched. Cheap and selective steps come first. */
export interface Plan {
  /** Supplies the candidates. Every match is among them. */
  readonly source: BlockSource | DocSet;
  readonly columnTests: readonly PageTest[];
  readonly groups: readonly ListGroup[];
  readonly treeTests: readonly PageTest[];
  /** Lists that only score the matches, in descending order of weight. */
  readonly scored: readonly PostingList[];
}

/** With this many postings and more, a union over all page numbers is faster than one that compares the heads of lists. */
const denseUnion = 2000;

interface PostingListKey {
  readonly term: number;
  readonly inTitle: boolean;
}

/** A `ListGroup` whose lists are not open yet. */
interface TermGroup {
  readonly mustMatch: boolean;
  readonly keys: readonly PostingListKey[];
  /** The number of postings in all of its lists. */
  readonly cost: number;
}

/** Plans a search. `weights` has the weights of the terms by their numbers. */
export function planSearch(segment: Segment, filters: Filters, weights: ReadonlyMap<number, number>): Plan {
  const parts = conjuncts(filters.query);
  const groups: TermGroup[] = [];
  const columnTests = filterTests(segment, filters);
  const treeTests: PageTest[] = [];
  for (const part of parts) {
    const partGroups = groupsOf(segment, part);
    if (partGroups) groups.push(...partGroups);
    else if (part.kind === 'site') columnTests.push(siteTest(segment, part));
    else if (part.kind === 'filetype') columnTests.push(typeTest(segment, part));
    else treeTests.push(treeTest(segment, part));
  }
  groups.sort((a, b) => a.cost - b.cost);
  const { within } = filters;
  const lead = within ? undefined : groups.find(({ mustMatch }) => mustMatch);
  const open = listOpener(segment, weights);
  if (!lead && !within && treeTests.length > 0) {
    const source = queryMatcher(segment, filters.query);
    const tests = filterTests(segment, filters);
    return { source, columnTests: tests, groups: [], treeTests: [], scored: open.rest() };
  }
  const source =
    within ?? (lead ? groupSource(segment, lead, open.list) : new EveryPageSet(segment.pageCount));
  const otherGroups = groups
    .filter((group) => group !== lead)
    .map(({ mustMatch, keys }) => {
      const lists = keys.map((key) => (mustMatch ? open.list(key) : postingList(segment, key)));
      return { mustMatch, lists };
    });
  return { source, columnTests, groups: otherGroups, treeTests, scored: open.rest() };
}

function filterTests(segment: Segment, filters: Filters): PageTest[] {
  const { lang, crawledSince } = filters;
  const tests: PageTest[] = [];
  const living = livingTest(segment, filters);
  if (living) tests.push(living);
  if (lang !== undefined) tests.push(langTest(segment, lang));
  if (crawledSince !== undefined) tests.push(crawledSinceTest(segment, crawledSince));
  return tests;
}

function treeTest(segment: Segment, query: Query): PageTest {
  const matcher = queryMatcher(segment, query);
  return (page) => matcher.test(page);
}

/** Opens lists so that each term scores only once, in the first of its lists that all candidates go through. */
function listOpener(segment: Segment, weights: ReadonlyMap<number, number>) {
  const unscored = new Map(weights);
  const list = (key: PostingListKey): PostingList => {
    const opened = postingList(segment, key);
    if (key.inTitle) return opened;
    opened.weight = unscored.get(key.term) ?? 0;
    unscored.delete(key.term);
    return opened;
  };
  const rest = () =>
    [...unscored.keys()].map((term) => list({ term, inTitle: false })).sort((a, b) => b.weight - a.weight);
  return { list, rest };
}

function groupSource(
  segment: Segment,
  { keys, cost }: TermGroup,
  open: (key: PostingListKey) => PostingList,
): BlockSource | DocSet {
  const [only] = keys;
  if (only && keys.length === 1) return open(only);
  if (cost >= denseUnion) return new ListUnion(keys.map(open), segment.pageCount);
  return new AnyDocSet(keys.map(({ term, inTitle }) => listCursor(segment, term, inTitle)));
}

function postingList(segment: Segment, key: PostingListKey): PostingList {
  const { postingPages, impacts, impactsByPage } = segment;
  const range = rangeOf(segment, key);
  if (key.inTitle) return new PostingList(postingPages, undefined, range);
  // Lazily: the leading list is read from its beginning to its end, without the table.
  return new PostingList(postingPages, impacts, range, () => impactsByPage(key.term));
}

/** The range of the postings of a term. */
function rangeOf(segment: Segment, { term, inTitle }: PostingListKey): readonly [start: number, end: number] {
  const offsets = inTitle ? segment.titleOffsets : segment.postingOffsets;
  return [offsets[term] as number, offsets[term + 1] as number];
}

/** The parts that must all match, with nested `all`s flattened. */
function conjuncts(query: Query): readonly Query[] {
  return query.kind === 'all' ? query.of.flatMap(conjuncts) : [query];
}

/** The list groups that are equivalent to a part of a query, all of which must match; undefined if there are none. */
function groupsOf(segment: Segment, query: Query): TermGroup[] | undefined {
  switch (query.kind) {
    case 'words':
    case 'title':
      return query.words
        .filter((word) => word.required)
        .map((word) => termGroup(segment, keysOf(segment, word, query.kind === 'title')));
    case 'any': {
      const branches = query.of.map((part) => onlyGroup(segment, part));
      if (!branches.every((branch) => branch !== undefined)) return undefined;
      return [
        termGroup(
          segment,
          branches.flatMap(({ keys }) => keys),
        ),
      ];
    }
    case 'not': {
      const excluded = onlyGroup(segment, query.of);
      return excluded && [{ ...excluded, mustMatch: false }];
    }
    default:
      return undefined;
  }
}

function onlyGroup(segment: Segment, query: Query): TermGroup | undefined {
  const groups = groupsOf(segment, query);
  return groups?.length === 1 && groups[0]?.mustMatch ? groups[0] : undefined;
}

function keysOf(segment: Segment, word: Word, inTitle: boolean): PostingListKey[] {
  return wordTerms(segment, word).map((term) => ({ term, inTitle }));
}

function termGroup(segment: Segment, keys: readonly PostingListKey[]): TermGroup {
  const distinct = [...new Map(keys.map((key) => [`${key.inTitle} ${key.term}`, key])).values()];
  const cost = distinct.reduce((sum, key) => {
    const [start, end] = rangeOf(segment, key);
    return sum + end - start;
  }, 0);
  return { mustMatch: true, keys: distinct, cost };
}
