import { createHash } from 'node:crypto';
import type { Page } from '../page.ts';
import type { PageStore, Writer } from './page-store.ts';
import { hammingDistance, maxDistance, simhash } from './simhash.ts';

/** Puts and removes pages so that of those that say the same one is the original and the others are its copies. */
export interface Copies {
  /** Stores the page, marked as a copy where another page said the same before. */
  put(writer: Writer, page: Page): void;
  /** Removes the page; the first of its copies takes its place. False when there was no such page. */
  remove(writer: Writer, id: string): boolean;
}

/** What a page says, in a few bytes. */
interface Fingerprint {
  /** File type and language: what a search may filter by, so that no page is hidden by one that the filter refuses. */
  readonly kind: string;
  /** The beginning of SHA-256 of title and body, 16 hexadecimal digits. */
  readonly exact: string;
  /** Null for a text that is too short. */
  readonly near: string | null;
}

/** Two of four pieces of 16 bits agree at least, when no more than three bits differ: one of them finds the original. */
const pieces = [0, 4, 8, 12] as const;

/**
 * Keeps track of which stored pages are copies. Exact copies have the same hash of title and body, near ones a simhash
 * that differs in at most three bits; each original's simhash is filed under its four pieces of 16 bits, of which one
 * at least agrees then (Manku et al. 2007, section 3). A put costs some look-ups, whatever the number of pages; the
 * removal of an original costs as many for each of its copies. Tables: `fingerprints` id -> Fingerprint, `originals`
 * kind, piece and id -> simhash, `copies` original, host and id.
 */
export function createCopies(store: PageStore): Copies {
  const fingerprints = store.table<Fingerprint>('fingerprints');
  const originals = store.table<string>('originals');
  const members = store.table<true>('copies');

  const under = <Value>(table: typeof originals | typeof members, prefix: string, limit?: number) =>
    [...table.entries({ from: prefix, to: `${prefix}\uffff`, ...(limit !== undefined && { limit }) })] as [
      string,
      Value,
    ][];

  const originalOf = ({ kind, exact, near }: Fingerprint): string | undefined => {
    const same = under<string>(originals, `${kind} x${exact} `, 1)[0];
    if (same) return same[0].slice(-idLength);
    if (near === null) return undefined;
    let best: { id: string; distance: number } | undefined;
    for (const piece of pieces) {
      for (const [key, other] of under<string>(originals, pieceKey(kind, piece, near))) {
        const distance = hammingDistance(near, other);
        const id = key.slice(-idLength);
        if (distance > maxDistance) continue;
        if (!best || distance < best.distance || (distance === best.distance && id < best.id))
          best = { id, distance };
      }
    }
    return best?.id;
  };

  const originalKeys = (id: string, { kind, exact, near }: Fingerprint): string[] => [
    `${kind} x${exact} ${id}`,
    ...(near === null ? [] : pieces.map((piece) => pieceKey(kind, piece, near) + id)),
  ];

  /** Says of what the page at this URL is a copy, and files it there. */
  const file = (writer: Writer, id: string, url: string, print: Fingerprint): CopyMark => {
    const original = originalOf(print);
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
    if (!head || !print) return;
    if (head.copyOf !== undefined) {
      const ofHost = `${head.copyOf} ${hostOf(head.url)} `;
      writer.delete(members, ofHost + id);
      const next = head.isHidden ? undefined : under(members, ofHost, 1)[0];
      if (next) writer.markPage(next[0].slice(-idLength), { copyOf: head.copyOf });
      return;
    }
    for (const key of originalKeys(id, print)) writer.delete(originals, key);
    const left = under(members, `${id} `).map(([key]) => key);
    // A copy on the same host is the better heir: searches that name no site go on to find that host.
    const isOfHost = (key: string): boolean => key.startsWith(`${id} ${hostOf(head.url)} `);
    const heirs = [...left.filter(isOfHost), ...left.filter((key) => !isOfHost(key))];
    for (const key of heirs) writer.delete(members, key);
    for (const heir of heirs.map((key) => key.slice(-idLength))) {
      const [heirHead, heirPrint] = [store.head(heir), fingerprints.get(heir)];
      if (heirHead && heirPrint) writer.markPage(heir, file(writer, heir, heirHead.url, heirPrint));
    }
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
      writer.putPage({ ...bare, ...(print && file(writer, page.id, page.url, print)) });
    },
    remove(writer, id) {
      unfile(writer, id);
      writer.delete(fingerprints, id);
      return writer.removePage(id);
    },
  };
}

/** What of a page's head says that it is a copy; empty for an original. */
export type CopyMark = Pick<Page, 'copyOf' | 'isHidden'>;

const idLength = 26;

/** Null for a page without a text, which is nobody's copy. */
function fingerprintOf({ title, body, fileType, lang }: Page): Fingerprint | null {
  if (body === '') return null;
  const text = `${title}\n${body}`;
  const exact = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { kind: `${fileType} ${lang}`, exact, near: simhash(text) };
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
