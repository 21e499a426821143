import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalUrl } from '../../src/crawl/url/canonical-url.ts';
import { urlOfFile } from '../../src/import/folder.ts';
import { filesBelow } from './files-below.ts';
import { headingsOf } from './headings.ts';
import { type Item, linkedPath } from './item.ts';
import { isListing, isTextSource } from './listings.ts';
import { folderOf } from './site-store.ts';
import { baseUrlOf, type Site } from './sites.ts';

/** What a site says of itself: its files are read once. */
export interface SitePages {
  readonly site: Site;
  /** The entries of its indexes, without names that their page does not have. */
  readonly items: readonly Item[];
  /** Heading -> the pages that it stands on. */
  readonly headings: ReadonlyMap<string, ReadonlySet<string>>;
  /** Page -> the page that it forwards to, or that is the same file under an earlier name. */
  readonly forwards: ReadonlyMap<string, string>;
}

/** The URL under which import stores the page at a path. */
export function urlOf(site: Site, path: string): string {
  return canonicalUrl(urlOfFile({ path, relative: path }, baseUrlOf(site))) ?? '';
}

export function readSite(site: Site): SitePages {
  const folder = folderOf(site);
  const forwards = new Map<string, string>();
  const firstOf = new Map<string, string>();
  const headings = new Map<string, Set<string>>();
  const items = site.indexes.flatMap((index) => [...index(folder)]);
  const itemsOf = new Map<string, Item[]>();
  for (const item of items) itemsOf.set(item.page, [...(itemsOf.get(item.page) ?? []), item]);
  const notNamed = new Set<Item>();
  for (const path of filesBelow(folder)) {
    if (!/\.x?html?$/.test(path)) continue;
    const html = readFileSync(join(folder, path), 'utf8');
    const text = html.toLowerCase();
    for (const item of itemsOf.get(path) ?? []) if (!isNamedIn(text, item)) notNamed.add(item);
    const digest = createHash('sha1').update(html).digest('base64');
    const first = firstOf.get(digest);
    if (first === undefined) firstOf.set(digest, path);
    else forwards.set(path, first);
    const forward = /<meta http-equiv="?refresh"? content="0;\s*url=['"]?([^"'>]+)/i.exec(html)?.[1];
    const target = forward === undefined ? undefined : linkedPath(forward, path);
    if (target !== undefined) forwards.set(path, target);
    if (first !== undefined || isListing(path) || isTextSource(path)) continue;
    for (const heading of headingsOf(html)) {
      const pages = headings.get(heading) ?? new Set();
      headings.set(heading, pages.add(path));
    }
  }
  return {
    site,
    items: items.filter((item) => !notNamed.has(item)),
    headings,
    forwards,
  };
}

/** Some indexes list inherited members, `std::bad_cast::what`, with a page that names the parent alone. */
function isNamedIn(text: string, { kind, name, owners }: Item): boolean {
  return kind === 'term' || [name, ...owners.slice(-1)].every((part) => text.includes(part.toLowerCase()));
}
