import { createHash } from 'node:crypto';
import type { Page, PageHead } from '../../page.ts';
import { foldForComparison } from '../../text/line/fold-for-comparison.ts';
import { hostPagesTable, type PageFeatures, siblingsOf } from '../host/host-pages.ts';
import type { PageStore, Writer } from '../page-store.ts';
import { isNearCopy } from './is-near-duplicate.ts';
import { hammingDistance, maxDistance, simhash } from './simhash.ts';

/** Puts and removes pages so that of those that say the same one is the original and the others are its copies. */
export interface Copies {
  /** Stores the page, marked as a copy where another page said the same before. */
  put(writer: Writer, page: Page): void;
  /** Removes the page; the first of its copies becomes the original. False if there was no such page. */
  remove(writer: Writer, id: string): boolean;
  /** Files a page again by the current rules. If it is no copy any more, it becomes searchable. */
  review(writer: Writer, id: string): void;
}

/** What a page says, in a few bytes. */
interface Fingerprint {
  /**
   * File type, language, and `private`: what a search may filter by, so that no page is hidden by one that the filter refuses; and
   * a hash of the folded title: what is called otherwise is another page. Older versions had no title in it.
   */
  readonly kind: string;
  /** The beginning of SHA-256 of title and body, 16 hexadecimal digits. */
  readonly exact: string;
  /** Null for a text that is too short. */
  readonly near: string | null;
}

/** Two of four pieces of 16 bits agree at least, when no more than three bits differ: one of them finds the original. */
const pieces = [0, 4, 8, 12] as const;

/** Maximum number of pages with the same title that are compared by simhash, for each piece of it. */
const maxCandidates = 64;
/** Maximum number of pages whose texts are compared. */
const maxCompared = 8;
/** Number of other pages of a host by which the template of a page is recognized. */
const maxSiblings = 8;

/**
 * Keeps track of which stored pages are copies. A page with a title of its own is none, whatever its text: pages of
 * reference documentation are mostly template. Exact copies have the same hash of title and body, near ones the same
 * title, a simhash that differs in at most three bits, and the same words beyond the template; each original's simhash is filed under its four pieces of 16 bits, of which one
 * at least agrees then (Manku et al. 2007, section 3). A put costs some look-ups, whatever the number of pages; the
 * removal of an original costs as many for each of its copies. Tables: `fingerprints` id -> Fingerprint, `originals`
 * kind, piece and id -> simhash, `copies` original, host and id.
 */
export function createCopies(store: PageStore): Copies {
  const fingerprints = store.table<Fingerprint>('fingerprints');
  const originals = store.table<string>('originals');
  const members = store.table<true>('copies');
  const hostPages = store.table<PageFeatures>(hostPagesTable);

  const under = <Value>(table: typeof originals | typeof members, prefix: string, limit?: number) =>
    [...table.entries({ from: prefix, to: `${prefix}\uffff`, ...(limit !== undefined && { limit }) })] as [
      string,
      Value,
    ][];

  const originalOf = ({ kind, exact, near }: Fingerprint, page: Page): string | undefined => {
    const same = under<string>(originals, `${kind} x${exact} `, 1)[0];
    if (same) return same[0].slice(-idLength);
    if (near === null) return undefined;
    const candidates = new Map<string, number>();
    for (const piece of pieces) {
      for (const [key, other] of under<string>(originals, pieceKey(kind, piece, near), maxCandidates)) {
        const distance = hammingDistance(near, other);
        if (distance <= maxDistance) candidates.set(key.slice(-idLength), distance);
      }
    }
    if (candidates.size === 0) return undefined;
    const siblings = siblingsOf(store, hostPages, page, maxSiblings).map(({ body }) => body);
    return [...candidates]
      .sort(([a, nearer], [b, farther]) => nearer - farther || (a < b ? -1 : 1))
      .slice(0, maxCompared)
      .find(([id]) => isNearCopy(page.body, store.source(id)?.body ?? '', siblings))?.[0];
  };

  const originalKeys = (id: string, { kind, exact, near }: Fingerprint): string[] => [
    `${kind} x${exact} ${id}`,
    ...(near === null ? [] : pieces.map((piece) => pieceKey(kind, piece, near) + id)),
  ];

  /** Says of what the page is a copy, and files it there. */
  const file = (writer: Writer, page: Page, print: Fingerprint): CopyMark => {
    const { id, url } = page;
    const original = originalOf(print, page);
    const first = original === undefined ? undefined : store.head(original);
    if (first === undefined) {
      for (const key of originalKeys(id, print)) writer.put(originals, key, print.near ?? '');
      return {};
    }
    const ofHost = `${first.id} ${hostOf(url)} `;
    const isHidden = hostOf(first.url) === hostOf(url) || under(members, ofHost, 1).length > 0;
    writer.put(members, ofHost + id, true as const);
    return { copyOf: first.id, ...(isHidden && { isHidden }) };
  };

  /** Takes a page out of where it was filed, and sees to those that stood behind it. */
  const unfile = (writer: Writer, id: string): void => {
    const head = store.head(id);
    const print = fingerprints.get(id);
    if (!print) return;
    // A page whose head is damaged may have been an original: its copies need another one.
    if (head?.copyOf !== undefined) {
      const ofHost = `${head.copyOf} ${hostOf(head.url)} `;
      writer.delete(members, ofHost + id);
      const next = head.isHidden ? undefined : under(members, ofHost, 1)[0];
      if (next) writer.markPage(next[0].slice(-idLength), { copyOf: head.copyOf });
      return;
    }
    for (const key of originalKeys(id, print)) writer.delete(originals, key);
    const left = under(members, `${id} `).map(([key]) => key);
    // A copy on the same host is the better heir: searches that name no site go on to find that host.
    const ofHost = head && `${id} ${hostOf(head.url)} `;
    const isOfHost = (key: string): boolean => ofHost !== undefined && key.startsWith(ofHost);
    const heirs = [...left.filter(isOfHost), ...left.filter((key) => !isOfHost(key))];
    for (const key of heirs) writer.delete(members, key);
    for (const heir of heirs.map((key) => key.slice(-idLength))) {
      const [page, heirPrint] = [store.source(heir), fingerprints.get(heir)];
      if (page && heirPrint) writer.markPage(heir, file(writer, page, heirPrint));
    }
  };

  const review = (writer: Writer, id: string): void => {
    const print = fingerprints.get(id);
    const page = store.source(id);
    if (!print || !page || print.kind === kindOf(page)) return;
    const reviewed = { ...print, kind: kindOf(page) };
    // The original first, or it would become the copy of its copy.
    if (page.copyOf !== undefined) review(writer, page.copyOf);
    if (page.copyOf === undefined && under(members, `${id} `, 1).length > 0) {
      for (const key of originalKeys(id, print)) writer.delete(originals, key);
      for (const key of originalKeys(id, reviewed)) writer.put(originals, key, print.near ?? '');
      writer.put(fingerprints, id, reviewed);
      return;
    }
    unfile(writer, id);
    writer.put(fingerprints, id, reviewed);
    writer.markPage(id, file(writer, page, reviewed));
  };

  return {
    put(writer, page) {
      const { copyOf, isHidden, ...bare } = page;
      const print = fingerprintOf(page);
      const known = fingerprints.get(page.id);
      const stored = store.head(page.id);
      if (stored && known && print && isSame(known, print)) {
        writer.putPage({ ...bare, ...markOf(stored) });
        return;
      }
      unfile(writer, page.id);
      if (print) writer.put(fingerprints, page.id, print);
      else writer.delete(fingerprints, page.id);
      writer.putPage({ ...bare, ...(print && file(writer, page, print)) });
    },
    remove(writer, id) {
      unfile(writer, id);
      writer.delete(fingerprints, id);
      return writer.removePage(id);
    },
    review,
  };
}

/** What of a page's head says that it is a copy; empty for an original. */
export type CopyMark = Pick<Page, 'copyOf' | 'isHidden'>;

const idLength = 26;

/** Null for a page without a text, which is never a copy. */
function fingerprintOf(page: Page): Fingerprint | null {
  const { title, body } = page;
  if (body === '') return null;
  const text = `${title}\n${body}`;
  const exact = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { kind: kindOf(page), exact, near: simhash(text) };
}

function kindOf({ fileType, lang, title, isPrivate }: PageHead): string {
  const hash = createHash('sha256').update(foldForComparison(title)).digest('hex').slice(0, 12);
  return `${fileType} ${lang} ${hash}${isPrivate ? ' private' : ''}`;
}

function isSame(one: Fingerprint, other: Fingerprint): boolean {
  return one.exact === other.exact && one.near === other.near && one.kind === other.kind;
}

function markOf({ copyOf, isHidden }: CopyMark): CopyMark {
  return { ...(copyOf !== undefined && { copyOf }), ...(isHidden && { isHidden }) };
}

function pieceKey(kind: string, piece: number, near: string): string {
  return `${kind} ${piece}${near.slice(piece, piece + 4)} `;
}

function hostOf(url: string): string {
  return new URL(url).host;
}
