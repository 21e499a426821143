import type { FileTypeQuery, SiteQuery } from '../../query/query.ts';
import { backwards, copyFlag, fileTypeOf, fileTypes, privateFlag } from './columns.ts';
import { hasPage, type PageSet } from './page-set.ts';
import type { Segment } from './reader.ts';
import { compareTo, lowerBound, startsWith } from './string-table.ts';

export type PageTest = (page: number) => boolean;

/** Equal to `siteMatches` for the page's URL. */
export function siteTest(segment: Segment, site: SiteQuery): PageTest {
  const { hosts, hostOffsets, hostText, pathOffsets, pathText } = segment;
  const hostTable = { offsets: hostOffsets, text: hostText };
  const pathTable = { offsets: pathOffsets, text: pathText };
  const name = Buffer.from(backwards(site.host));
  const exact = lowerBound(hostTable, name);
  const isThere = exact < hostOffsets.length - 1 && compareTo(hostTable, exact, name) === 0;
  const hostNumber = isThere ? exact : -1;
  // `/` is the byte after `.`, so this range has all names that continue with a dot.
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

export function typeTest(segment: Segment, { types }: FileTypeQuery): PageTest {
  const isAccepted = fileTypes.map((type) => types.includes(type));
  const column = segment.fileTypes;
  return (page) => isAccepted[fileTypeOf(column[page] as number)] === true;
}

/**
 * Rejects dead pages and, unless `copies` is set, copies. It is one test, because all candidates go through it. Undefined
 * if there is nothing to reject.
 */
export function livingTest(
  { fileTypes: types, holdsCopies }: Segment,
  { dead, copies = false }: { readonly dead?: PageSet | undefined; readonly copies?: boolean },
): PageTest | undefined {
  if (copies || !holdsCopies()) return dead && ((page) => !hasPage(dead, page));
  if (!dead) return (page) => (types[page] as number) < copyFlag;
  return (page) => (types[page] as number) < copyFlag && !hasPage(dead, page);
}

export function publicTest({ fileTypes: types }: Segment): PageTest {
  return (page) => ((types[page] as number) & privateFlag) === 0;
}

export function langTest({ langs, langCodes }: Segment, lang: string): PageTest {
  const code = langCodes.indexOf(lang);
  return (page) => langs[page] === code;
}

export function crawledSinceTest({ crawlTimes }: Segment, crawledSince: number): PageTest {
  return (page) => (crawlTimes[page] as number) >= crawledSince;
}
