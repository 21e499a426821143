import { createHash } from 'node:crypto';
import type { Page } from '../../page.ts';
import { foldForComparison } from '../../text/line/fold-for-comparison.ts';
import type { PageStore, Table } from '../page-store.ts';

/**
 * The table of the features of each page that may be common to its host, by `hostPageKey`. Ids are hashes, so the pages
 * of a host are in random order, and the first thousand are a fair sample.
 */
export const hostPagesTable = 'host-pages';

/** Hashes of the folded title, then of the first and last lines of the text. */
export type PageFeatures = readonly [title: string, ...lines: string[]];

/** Maximum number of lines at either end of a text that may be left of the site's frame. */
const edgeLines = 5;

export function hostPageKey(host: string, id: string): string {
  return `${host} ${id}`;
}

export function hostOf(url: string): string {
  return new URL(url).host;
}

export function featuresOf({
  title,
  headings,
  body,
}: Pick<Page, 'title' | 'headings' | 'body'>): PageFeatures {
  const { first, last } = edgesOf(body, headings);
  const lines = [...first, ...last].map(({ hash }) => hash);
  return [titleHash(title), ...new Set(lines)];
}

export function titleHash(title: string): string {
  return shortHash(foldForComparison(title));
}

/** A line of a text: its offsets without the line end, and its hash. */
interface EdgeLine {
  readonly start: number;
  readonly end: number;
  readonly hash: string;
}

/** The lines at either end of a text that may be frame: those with letters that are no heading. */
export function edgesOf(body: string, headings: string): { first: EdgeLine[]; last: EdgeLine[] } {
  const known = new Set(headings.split('\n'));
  const { first, last } = edgeRanges(body);
  const hashed = ({ start, end }: Range): EdgeLine[] => {
    const line = body.slice(start, end).trim();
    return known.has(line) || !hasWord.test(line) ? [] : [{ start, end, hash: shortHash(line) }];
  };
  return { first: first.flatMap(hashed), last: last.flatMap(hashed) };
}

type Range = Pick<EdgeLine, 'start' | 'end'>;

const hasWord = /\p{L}{2}/u;

/** The first and the last lines that are not blank, in order; no line is both. */
function edgeRanges(body: string): { first: Range[]; last: Range[] } {
  const first: Range[] = [];
  let start = 0;
  while (start < body.length && first.length < edgeLines) {
    const found = body.indexOf('\n', start);
    const end = found < 0 ? body.length : found;
    if (body.slice(start, end).trim() !== '') first.push({ start, end });
    start = end + 1;
  }
  const last: Range[] = [];
  let end = body.length;
  while (end > start && last.length < edgeLines) {
    const begin = body.lastIndexOf('\n', end - 1) + 1;
    if (begin < start) break;
    if (body.slice(begin, end).trim() !== '') last.unshift({ start: begin, end });
    end = begin - 1;
  }
  return { first, last };
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}

/** Up to `limit` other pages of the host with other titles. */
export function siblingsOf(
  store: PageStore,
  hostPages: Table<PageFeatures>,
  page: Page,
  limit: number,
): Page[] {
  const host = hostOf(page.url);
  const own = titleHash(page.title);
  const key = hostPageKey(host, page.id);
  const looked = { limit: limit * 4 };
  const near = [
    ...hostPages.entries({ from: key, to: `${host} \uffff`, ...looked }),
    ...hostPages.entries({ from: `${host} `, to: key, ...looked }),
  ];
  const ids = near.filter(([, [title]]) => title !== own).map(([found]) => found.slice(host.length + 1));
  return ids.slice(0, limit).flatMap((id) => store.source(id) ?? []);
}
