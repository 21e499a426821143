import type { Page } from '../../page.ts';
import type { PageStore, Writer } from '../page-store.ts';
import { featuresOf, hostOf, hostPageKey, hostPagesTable, type PageFeatures } from './host-pages.ts';

/** The table of what is known about the pages of a host together, by `URL.host`. */
export const hostFactsTable = 'host-facts';

export interface HostFacts {
  readonly pages: number;
  /** How many pages there were when they were last looked at together. */
  readonly examinedAt: number;
  /** Hash of a title that most pages have: it is the site's name. */
  readonly siteTitle: string | null;
  /** That title as it is written. */
  readonly siteName: string | null;
  /** Hashes of lines that most pages begin or end with. */
  readonly frame: readonly string[];
}

/** What the pages of a host have in common changed: those with one of these hashes read otherwise now. */
export interface Mending {
  /** The key in `host-pages` to go on from. */
  readonly from: string;
  readonly changed: readonly string[];
}

/** The table of hosts whose earlier pages are to be indexed again, by `URL.host`. */
export const mendingTable = 'host-mending';

const none: HostFacts = { pages: 0, examinedAt: 0, siteTitle: null, siteName: null, frame: [] };

/** Minimum number of pages with the same title, and more than half of all, for it to be the site's name. */
const minSameTitle = 5;
/** Minimum number of pages of a host for lines that more than half of them have to be frame. */
const minFramedPages = 20;
const minShare = 0.5;
/** Sample size of a host's pages: enough to distinguish a half from a third. */
const maxExamined = 1000;

/** Learns what the pages of each host have in common. */
export interface HostFactsWriter {
  /** Notes a page that is stored or stored again; true where earlier pages have to be mended now. */
  note(writer: Writer, page: Page): boolean;
  /** Forgets a page that is removed. A page whose head is damaged has no URL, and is looked for under every host. */
  forget(writer: Writer, page: { readonly id: string; readonly url?: string }): void;
}

/**
 * Counts nothing but pages: whenever a host has twice as many as before, a sample of them is looked at, so a page costs
 * two small writes and its share of a look at one or two others. What is known acts when a page is read (`host-view.ts`).
 */
export function createHostFacts(store: PageStore): HostFactsWriter {
  const pages = store.table<PageFeatures>(hostPagesTable);
  const facts = store.table<HostFacts>(hostFactsTable);
  const mendings = store.table<Mending>(mendingTable);

  const examine = (host: string, known: HostFacts): HostFacts => {
    const counts = new Map<string, number>();
    const titles = new Map<string, { count: number; key: string }>();
    let sample = 0;
    for (const [key, [title, ...lines]] of pages.entries({ ...rangeOf(host), limit: maxExamined })) {
      sample++;
      titles.set(title, { count: (titles.get(title)?.count ?? 0) + 1, key });
      for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
    }
    const isCommon = (count: number) => count > sample * minShare;
    const frame = sample < minFramedPages ? [] : [...counts].filter(([, count]) => isCommon(count));
    const [siteTitle, most] = [...titles].find(([, { count }]) => isCommon(count)) ?? [];
    const isSite = most !== undefined && most.count >= minSameTitle;
    return {
      pages: known.pages,
      examinedAt: known.pages,
      siteTitle: isSite && siteTitle !== undefined ? siteTitle : null,
      siteName: isSite ? (store.source(most.key.slice(host.length + 1))?.title ?? null) : null,
      frame: frame.map(([line]) => line).sort(),
    };
  };

  const hostNoting = (id: string): string | undefined => {
    for (const [host] of facts.entries()) if (pages.get(hostPageKey(host, id)) !== undefined) return host;
    return undefined;
  };

  return {
    note(writer, page) {
      const host = hostOf(page.url);
      const key = hostPageKey(host, page.id);
      const before = pages.get(key);
      const features = featuresOf(page);
      if (before?.join() === features.join()) return false;
      writer.put(pages, key, features);
      if (before) return false;
      const known = facts.get(host) ?? none;
      const counted = { ...known, pages: known.pages + 1 };
      if (counted.pages < Math.max(minSameTitle, 2 * known.examinedAt)) {
        writer.put(facts, host, counted);
        return false;
      }
      const learned = examine(host, counted);
      writer.put(facts, host, learned);
      const changed = difference(known, learned);
      if (changed.length === 0) return false;
      const pending = mendings.get(host)?.changed ?? [];
      writer.put(mendings, host, { from: `${host} `, changed: [...new Set([...pending, ...changed])] });
      return true;
    },
    forget(writer, { id, url }) {
      const host = url === undefined ? hostNoting(id) : hostOf(url);
      if (host === undefined) return;
      const key = hostPageKey(host, id);
      if (pages.get(key) === undefined) return;
      writer.delete(pages, key);
      const known = facts.get(host) ?? none;
      if (known.pages <= 1) {
        writer.delete(facts, host);
        writer.delete(mendings, host);
      } else writer.put(facts, host, { ...known, pages: known.pages - 1 });
    },
  };
}

function rangeOf(host: string): { from: string; to: string } {
  return { from: `${host} `, to: `${host} \uffff` };
}

function difference(one: HostFacts, other: HostFacts): string[] {
  const hashes = ({ siteTitle, frame }: HostFacts) => [...frame, ...(siteTitle === null ? [] : [siteTitle])];
  const [before, after] = [hashes(one), hashes(other)];
  return [
    ...before.filter((hash) => !after.includes(hash)),
    ...after.filter((hash) => !before.includes(hash)),
  ];
}
