import type { Database } from 'lmdb';
import type { Page, PageHead } from '../../page.ts';
import type { Root } from '../lmdb/environment.ts';
import { scanKeys } from '../scan.ts';
import type { LazyDatabase } from '../tables.ts';
import { beginningOf, type PageBeginning, wholePage } from './beginnings.ts';
import { isBeginningOf, isTextOf, openHead, type StoredHead } from './page-checksum.ts';
import type { PageDatabases } from './page-databases.ts';
import { isPageId } from './page-id.ts';

/** Called for a page whose stored bytes are damaged, with the reason. */
export type OnDamage = (id: string, why: string) => void;

interface PageReaderParts {
  readonly root: Root;
  readonly databases: Pick<PageDatabases, 'heads' | 'texts' | 'beginnings'>;
  readonly onDamage?: OnDamage;
  /** Turns LMDB's errors for a damaged file into a `ServiceError`. */
  asDamage(error: unknown): unknown;
}

/** Maximum number of damaged pages that are recorded. With more, the store is unusable anyway. */
const maxRemembered = 10_000;

/**
 * Reads pages and checks their checksums. A damaged page is treated as missing, so that a search skips it and a crawl
 * stores it again. It is reported once, and `damageOf` says what is wrong with it.
 */
export function createPageReader({ root, databases, onDamage, asDamage }: PageReaderParts) {
  const { heads, texts, beginnings } = databases;
  const damaged = new Map<string, string>();

  const report = (id: string, why: string): undefined => {
    if (damaged.has(id) || damaged.size >= maxRemembered) return;
    damaged.set(id, why);
    onDamage?.(id, why);
  };

  /** The value under an id; undefined, with a report, if it cannot be decoded. */
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

  // Callers may pass any string, and LMDB throws for keys that are too long.
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
    has: (id: string): boolean => {
      if (!isPageId(id) || damaged.has(id)) return false;
      try {
        return heads.doesExist(id);
      } catch (error) {
        throw asDamage(error);
      }
    },
    page,
    beginning: (id: string): PageBeginning | undefined => {
      const stored = storedHead(id);
      const head = stored && openStored(id, stored);
      if (!stored || !head) return undefined;
      // The text has the same content, so nothing is lost but the time to read it.
      const beginning = optional(beginnings, id);
      const found = beginning && isBeginningOf(stored, beginning) && beginningOf(head, beginning);
      if (found) return found;
      const whole = page(id);
      return whole && wholePage(whole);
    },
    /** All heads, or those after an id. */
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
    ids(): Iterable<string> {
      return scanKeys(root, heads);
    },
    /** The checksum of the stored text, for a head that is written without the text. */
    textCheck: (id: string): number | undefined => heads.get(id)?.check?.[1],
    damageOf: (id: string): string | undefined => damaged.get(id),
    damagedPages: (): number => damaged.size,
    /** Forgets the damage of a page that was stored again. */
    mended: (id: string): void => void damaged.delete(id),
  };
}

export type PageReader = ReturnType<typeof createPageReader>;
