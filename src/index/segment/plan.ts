import type { Query, SiteQuery, Word } from '../../query/query.ts';
import { backwards, fileTypes } from './columns.ts';
import { findTerm } from './dictionary.ts';
import { AllMatcher, AnyMatcher, EveryPage, type Matcher, PageFilter, PostingCursor } from './matcher.ts';
import type { Segment } from './reader.ts';
import { compareTo, lowerBound, startsWith } from './string-table.ts';

/** What of a search decides which pages match. */
export interface Filters {
  readonly query: Query;
  readonly lang?: string;
  readonly crawledSince?: number;
}

/** A reader of all pages of a segment that match, dead ones included. */
export function planMatcher(segment: Segment, { query, lang, crawledSince }: Filters): Matcher {
  const parts = conjuncts(query).map((part) => matcherOf(segment, part));
  if (lang !== undefined) {
    const { langs } = segment;
    const code = segment.langCodes.indexOf(lang);
    parts.push(filter(segment, (page) => langs[page] === code));
  }
  if (crawledSince !== undefined) {
    const { crawlTimes } = segment;
    parts.push(filter(segment, (page) => (crawlTimes[page] as number) >= crawledSince));
  }
  return allOf(segment, parts);
}

/** Total: a kind of query that is missing here does not compile. */
function matcherOf(segment: Segment, query: Query): Matcher {
  switch (query.kind) {
    case 'all':
      return allOf(
        segment,
        query.of.map((part) => matcherOf(segment, part)),
      );
    case 'any':
      return anyOf(query.of.map((part) => matcherOf(segment, part)));
    case 'not': {
      const excluded = matcherOf(segment, query.of);
      return filter(segment, (page) => !excluded.test(page));
    }
    case 'words':
      return wordsIn(segment, query.words, segment.postingOffsets);
    case 'title':
      return wordsIn(segment, query.words, segment.titleOffsets);
    case 'site':
      return filter(segment, siteTest(segment, query));
    case 'filetype':
      return filter(segment, typeTest(segment, query.types));
  }
}

/** The parts that must all match, through every `all` inside an `all`. */
function conjuncts(query: Query): readonly Query[] {
  return query.kind === 'all' ? query.of.flatMap(conjuncts) : [query];
}

function allOf(segment: Segment, parts: readonly Matcher[]): Matcher {
  const [only] = parts;
  if (!only) return new EveryPage(segment.pageCount);
  return parts.length === 1 ? only : new AllMatcher(segment.pageCount, parts);
}

function anyOf(parts: readonly Matcher[]): Matcher {
  const [only] = parts;
  return only && parts.length === 1 ? only : new AnyMatcher(parts);
}

function filter(segment: Segment, test: (page: number) => boolean): PageFilter {
  return new PageFilter(segment.pageCount, test);
}

/** Words that are not required do not decide what matches. */
function wordsIn(segment: Segment, words: readonly Word[], offsets: Uint32Array): Matcher {
  const required = words.filter((word) => word.required);
  return allOf(
    segment,
    required.map((word) => wordIn(segment, word, offsets)),
  );
}

function wordIn(segment: Segment, { term, stem }: Word, offsets: Uint32Array): Matcher {
  const exact = findTerm(segment, term);
  const stemmed = stem === null ? -1 : findTerm(segment, stem);
  // On every page of the word its stem stands too, so the stem's list says it all.
  const forms = stemmed >= 0 && segment.termStems[exact] === stemmed ? [stemmed] : [exact, stemmed];
  return anyOf(forms.filter((form) => form >= 0).map((form) => postings(segment, form, offsets)));
}

export function postings(segment: Segment, term: number, offsets: Uint32Array): PostingCursor {
  return new PostingCursor(segment.postingPages, offsets[term] as number, offsets[term + 1] as number);
}

/** The same as `siteMatches` says of the page's URL. */
function siteTest(segment: Segment, site: SiteQuery): (page: number) => boolean {
  const { hosts, hostOffsets, hostText, pathOffsets, pathText } = segment;
  const hostTable = { offsets: hostOffsets, text: hostText };
  const pathTable = { offsets: pathOffsets, text: pathText };
  const name = Buffer.from(backwards(site.host));
  const exact = lowerBound(hostTable, name);
  const isThere = exact < hostOffsets.length - 1 && compareTo(hostTable, exact, name) === 0;
  const hostNumber = isThere ? exact : -1;
  // `/` is the byte after `.`, so this range is that of all names that go on with a dot.
  const first = lowerBound(hostTable, Buffer.concat([name, Buffer.from('.')]));
  const last = lowerBound(hostTable, Buffer.concat([name, Buffer.from('/')]));
  const path = Buffer.from(site.path);
  const below = Buffer.from(`${site.path}/`);
  return (page) => {
    const host = hosts[page] as number;
    if (host !== hostNumber && (host < first || host >= last)) return false;
    return path.length === 0 || compareTo(pathTable, page, path) === 0 || startsWith(pathTable, page, below);
  };
}

function typeTest(segment: Segment, types: readonly string[]): (page: number) => boolean {
  const wanted = fileTypes.map((type) => types.includes(type));
  return (page) => wanted[segment.fileTypes[page] as number] === true;
}
