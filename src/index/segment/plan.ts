import type { IndexSearch } from '../page-index.ts';
import { type BlockSource, searchBlock } from './block.ts';
import { type Clause, compileQuery, conjunctsOf, type ListsClause } from './clause.ts';
import { docSetOf } from './clause-doc-set.ts';
import { type DocSet, EveryPageSet } from './doc-set.ts';
import { ListUnion } from './list-union.ts';
import type { ListKey } from './lists/list-pages.ts';
import type { PageSet } from './page-set.ts';
import { crawledSinceTest, langTest, livingTest, type PageTest, publicTest } from './page-tests.ts';
import { PostingList } from './posting-list.ts';
import type { Segment } from './reader.ts';

/** The part of a search that decides which pages match. */
export interface Filters extends Omit<IndexSearch, 'limit' | 'explain' | 'prefer'> {
  /** Whether copies of other hosts' pages match as well, as they do in searches that name a site. */
  readonly copies?: boolean;
  /** Pages that are to be left out. */
  readonly dead?: PageSet | undefined;
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

/** Plans a search. `weights` has the weights of the terms by their numbers. */
export function planSearch(segment: Segment, filters: Filters, weights: ReadonlyMap<number, number>): Plan {
  searchBlock.decoded.clear();
  const clauses = conjunctsOf(compileQuery(segment, filters.query));
  const { columnTests, groups, otherClauses } = sortClauses(clauses);
  columnTests.unshift(...filterTests(segment, filters));
  const { within } = filters;
  const lead = within ? undefined : groups.find(({ mustMatch }) => mustMatch)?.lists;
  const open = listOpener(segment, weights);
  if (!lead && !within && otherClauses.length > 0) {
    const source = docSetOf(segment, clauses);
    const tests = filterTests(segment, filters);
    return { source, columnTests: tests, groups: [], treeTests: [], scored: open.rest() };
  }
  const source =
    within ?? (lead ? listsSource(segment, lead, open.list) : new EveryPageSet(segment.pageCount));
  const otherGroups = groups
    .filter(({ lists }) => lists !== lead)
    .map(({ mustMatch, lists: { keys } }) => {
      const lists = keys.map((key) => (mustMatch ? open.list(key) : postingList(segment, key)));
      return { mustMatch, lists };
    });
  const treeTests = otherClauses.map((clause) => treeTest(segment, clause));
  return { source, columnTests, groups: otherGroups, treeTests, scored: open.rest() };
}

/** Divides clauses by how they are checked; the groups in ascending order of cost. */
function sortClauses(clauses: readonly Clause[]) {
  const columnTests: PageTest[] = [];
  const groups: { readonly mustMatch: boolean; readonly lists: ListsClause }[] = [];
  const otherClauses: Clause[] = [];
  for (const clause of clauses) {
    if (clause.kind === 'test') columnTests.push(clause.test);
    else if (clause.kind === 'lists') groups.push({ mustMatch: true, lists: clause });
    else if (clause.kind === 'not' && clause.of.kind === 'lists')
      groups.push({ mustMatch: false, lists: clause.of });
    else otherClauses.push(clause);
  }
  groups.sort((a, b) => a.lists.cost - b.lists.cost);
  return { columnTests, groups, otherClauses };
}

function filterTests(segment: Segment, filters: Filters): PageTest[] {
  const { lang, crawledSince, publicOnly = false } = filters;
  const tests: PageTest[] = [];
  const living = livingTest(segment, filters);
  if (living) tests.push(living);
  if (publicOnly && segment.holdsPrivatePages()) tests.push(publicTest(segment));
  if (lang !== undefined) tests.push(langTest(segment, lang));
  if (crawledSince !== undefined) tests.push(crawledSinceTest(segment, crawledSince));
  return tests;
}

function treeTest(segment: Segment, clause: Clause): PageTest {
  const pages = docSetOf(segment, [clause]);
  return (page) => pages.test(page);
}

/** Opens lists so that each term scores only once, in the first of its lists that all candidates go through. */
function listOpener(segment: Segment, weights: ReadonlyMap<number, number>) {
  const unscored = new Map(weights);
  const list = (key: ListKey): PostingList => {
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

function listsSource(
  segment: Segment,
  clause: ListsClause,
  open: (key: ListKey) => PostingList,
): BlockSource | DocSet {
  const { keys, cost } = clause;
  const [only] = keys;
  if (only && keys.length === 1) return open(only);
  if (cost >= denseUnion) return new ListUnion(keys.map(open), segment.pageCount);
  return docSetOf(segment, [clause]);
}

function postingList(segment: Segment, key: ListKey): PostingList {
  const { lists, impacts, dictionary, impactsByPage } = segment;
  const list = lists.open(key, searchBlock.decoded);
  if (key.inTitle) return new PostingList(list);
  const first = dictionary.postings.start(key.term);
  // Lazily: the leading list is read from its beginning to its end, without the table.
  return new PostingList(list, { items: impacts, first, byPage: () => impactsByPage(key.term) });
}
