import type { Database } from 'lmdb';
import type { Page, PageHead } from '../../page.ts';
import type { Root } from '../lmdb/environment.ts';
import { scanKeys } from '../scan.ts';
import type { LazyDatabase } from '../tables.ts';
import { beginningOf, type PageBeginning, wholePage } from './beginnings.ts';
import { isBeginningOf, isTextOf, openHead, type StoredHead } from './page-checksum.ts';
import type { PageDatabases } from './page-databases.ts';
import { isPageId } from './page-id.ts';

/** Told of a page whose stored bytes are damaged, and what is wrong. */
export type OnDamage = (id: string, why: string) => void;

interface PageReaderParts {
  readonly root: Root;
  readonly databases: Pick<PageDatabases, 'heads' | 'texts' | 'beginnings'>;
  readonly onDamage?: OnDamage;
  /** Makes a refusal of an error of LMDB that means a damaged file. */
  asDamage(error: unknown): unknown;
}

/** More damaged pages than these are not remembered: a store with so many is past reading. */
const maxRemembered = 10_000;

/**
 * Reads pages and looks at their checksums. A damaged page is as good as not there, so that a search passes it over and
 * a crawl stores it again; it is reported once, and `damageOf` says what is wrong with it.
 */
export function createPageReader({ root, databases, onDamage, asDamage }: PageReaderParts) {
  const { heads, texts, beginnings } = databases;
  const damaged = new Map<string, string>();

  const report = (id: string, why: string): undefined => {
    if (damaged.has(id) || damaged.size >= maxRemembered) return;
    damaged.set(id, why);
    onDamage?.(id, why);
  };

  /** What is stored under an id; nothing, and a report, where it cannot be decoded. */
  const read = <Value>(database: Database<Value, string>, id: string, what: string): Value | undefined => {
    try {
      return database.get(id);
    } catch (error) {
      const known = asDamage(error);
      if (known !== error) throw known;
      return report(id, `its ${what} cannot be decoded`);
    }
  };

  const optional = <Value>(database: LazyDatabase<Value>, id: string): Value | undefined => {
    try {
      return database.database()?.get(id);
    } catch (error) {
      const known = asDamage(error);
      if (known !== error) throw known;
      return undefined;
    }
  };

  const openStored = (id: string, stored: StoredHead): PageHead | undefined => {
    const head = openHead(id, stored);
    return head ?? report(id, 'its head is not what was stored');
  };

  // Any string may be asked for, and LMDB throws at keys that are too long.
  const storedHead = (id: string): StoredHead | undefined =>
    isPageId(id) ? read(heads, id, 'head') : undefined;

  const page = (id: string): Page | undefined => {
    const stored = storedHead(id);
    const head = stored && openStored(id, stored);
    if (!stored || !head) return undefined;
    const text = read(texts, id, 'text');
    if (text && isTextOf(stored, text)) return { ...head, headings: text.headings, body: text.body };
    return report(id, text ? 'its text is not what was stored' : 'its text is not there');
  };

  return {
    head: (id: string): PageHead | undefined => {
      const stored = storedHead(id);
      return stored && openStored(id, stored);
    },
    page,
    beginning: (id: string): PageBeginning | undefined => {
      const stored = storedHead(id);
      const head = stored && openStored(id, stored);
      if (!stored || !head) return undefined;
      // The text says the same, so a damaged beginning costs no more than the reading of it.
      const beginning = optional(beginnings, id);
      const found = beginning && isBeginningOf(stored, beginning) && beginningOf(head, beginning);
      if (found) return found;
      const whole = page(id);
      return whole && wholePage(whole);
    },
    /** Those after an id where one is given. */
    *heads(after?: string): Iterable<PageHead> {
      const range = after === undefined ? {} : { start: after, exclusiveStart: true };
      try {
        for (const id of scanKeys(root, heads, range)) {
          const stored = read(heads, id, 'head');
          const head = stored && openStored(id, stored);
          if (head) yield head;
        }
      } catch (error) {
        throw asDamage(error);
      }
    },
    /** The checksum of the stored text, for a head that is written without it. */
    textCheck: (id: string): number | undefined => heads.get(id)?.check?.[1],
    damageOf: (id: string): string | undefined => damaged.get(id),
    damagedPages: (): number => damaged.size,
    /** The page was stored again. */
    mended: (id: string): void => void damaged.delete(id),
  };
}

export type PageReader = ReturnType<typeof createPageReader>;
