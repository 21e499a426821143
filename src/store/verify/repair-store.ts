import { chmodSync, chownSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import type { Page } from '../../page.ts';
import { processesOver } from '../lmdb/lock-file.ts';
import { openPageStore, storePath } from '../lmdb-store.ts';
import { isTextOf, openHead, type StoredHead, type StoredText } from '../page/page-checksum.ts';
import { isPageId } from '../page/page-id.ts';
import { createPageIntake } from '../page/page-intake.ts';
import { dataFileOf } from '../store-file.ts';
import { syncPath } from '../sync-path.ts';
import { type Survey, surveyStore } from './survey.ts';
import { bareHead, derivedTables, type StoreCheck, verifyStore } from './verify-store.ts';

export interface Repair {
  /** The number of pages in the new store. */
  readonly keptPages: number;
  /** Pages of these that no tree led to any more. They may be older versions. */
  readonly strayPages: number;
  readonly keptEntries: number;
  /** Lost pages, by URL if it is known, else by id. */
  readonly dropped: readonly string[];
  /** The new path of the old file; null if there was none. */
  readonly oldFile: string | null;
}

/** Pages in one transaction of the new store. */
const batchPages = 200;

/**
 * Writes a new store with everything in the old one that is undamaged, replaces the old file in one step, and keeps it
 * next to the new one. The change log begins again, so the index has to be packed again: drop it before the store is
 * opened. Copies and the facts of hosts are computed again, originals first. Throws a `ServiceError` (`unavailable`) while
 * another process has the store open.
 */
export async function repairStore(dataFolder: string): Promise<Repair> {
  const folder = storePath(dataFolder);
  const data = dataFileOf(folder);
  const [other] = processesOver(folder);
  if (other !== undefined) {
    const message = `process ${other} has the store open: stop it first, then repair`;
    throw new ServiceError('unavailable', message, { retryAfterSeconds: 5 });
  }
  const scratch = join(dataFolder, `repair-${process.pid}`);
  rmSync(scratch, { recursive: true, force: true });
  const isFile = statSync(data, { throwIfNoEntry: false })?.isFile() ?? false;
  const survey = isFile ? surveyStore(folder) : undefined;
  try {
    const kept = await fillStore(scratch, survey);
    const stamp = new Date().toISOString().replace(/[:.]/g, '-');
    const lock = join(folder, 'lock.mdb');
    if (statSync(lock, { throwIfNoEntry: false })?.isFile() === false)
      renameSync(lock, `${lock}.damaged-${stamp}`);
    const oldFile = existsSync(data) ? `${data}.damaged-${stamp}` : null;
    if (oldFile !== null) keepAs(data, oldFile);
    const written = dataFileOf(storePath(scratch));
    if (isFile) openAs(data, written);
    syncPath(written);
    mkdirSync(folder, { recursive: true });
    renameSync(written, data);
    syncPath(folder);
    return { ...kept, oldFile };
  } finally {
    await survey?.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Links the old file to a new name, so that a store exists at any moment; a folder or a fifo is moved. */
function keepAs(data: string, oldFile: string): void {
  try {
    linkSync(data, oldFile);
  } catch {
    renameSync(data, oldFile);
  }
}

/** Gives the new file the permissions of the old one. */
function openAs(old: string, file: string): void {
  const { mode, uid, gid } = statSync(old);
  chmodSync(file, mode & 0o777);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

type Kept = Omit<Repair, 'oldFile'>;

async function fillStore(scratch: string, survey: Survey | undefined): Promise<Kept> {
  const store = openPageStore(scratch);
  try {
    if (!survey) return { keptPages: 0, strayPages: 0, keptEntries: 0, dropped: [] };
    const check = verifyStore(survey);
    const stray = findStray(survey, check);
    const intake = createPageIntake(store);
    let batch: Page[] = [];
    const flush = async (): Promise<void> => {
      await store.write((writer) => {
        for (const page of batch) intake.put(writer, page);
      });
      batch = [];
    };
    // Originals first, so that they become originals again.
    for (const isCopy of [false, true]) {
      for (const page of wholePages(survey, check, stray)) {
        if ((page.copyOf !== undefined) !== isCopy) continue;
        batch.push(page);
        if (batch.length === batchPages) await flush();
      }
      await flush();
    }
    let keptEntries = 0;
    for (const name of check.tables.filter((table) => !derivedTables.includes(table))) {
      const table = store.table<unknown>(name.slice('table:'.length));
      const entries = [...survey.entries(name, 'tables')];
      keptEntries += entries.length;
      await store.write((writer) => {
        for (const { key, value } of entries) writer.put(table, key, value);
      });
    }
    const dropped = [...check.dropped].filter(([id]) => !stray.has(id)).map(([, name]) => name);
    return { keptPages: store.pageCount(), strayPages: stray.size, keptEntries, dropped };
  } finally {
    await store.close();
  }
}

function* wholePages(survey: Survey, check: StoreCheck, stray: ReadonlyMap<string, Page>): Iterable<Page> {
  for (const { key, value } of survey.entries('texts', 'pages')) {
    const id = key;
    const page = check.pages.get(id);
    const text = value as StoredText;
    if (page && !stray.has(id) && isTextOf(page.head, text)) yield joined(page.head, text);
  }
  yield* stray.values();
}

function joined(head: StoredHead, { headings, body }: StoredText): Page {
  return { ...bareHead(head), headings, body };
}

/**
 * Undamaged pages that no tree leads to: of each page, the newest head with a text that belongs to it. Pages that were
 * removed according to the change log stay removed. None if no page is missing, because then all stray entries are
 * replaced or removed ones.
 */
function findStray(survey: Survey, check: StoreCheck): Map<string, Page> {
  const isTreeDamaged = survey.findings.some(({ part }) => part === 'pages' || part === 'store file');
  const found = new Map<string, Page>();
  if (!isTreeDamaged) return found;
  const heads = new Map<string, { head: StoredHead; transaction: number }[]>();
  const texts = new Map<string, StoredText[]>();
  const isWanted = (id: string): boolean =>
    isPageId(id) && !check.pages.has(id) && check.log.get(id)?.kind !== 'remove';
  const addHead = (id: string, value: unknown, transaction: number): void => {
    const head = value as StoredHead;
    if (typeof head?.url === 'string' && openHead(id, head))
      heads.set(id, [...(heads.get(id) ?? []), { head, transaction }]);
  };
  const addText = (id: string, value: unknown): void => {
    const text = value as StoredText;
    if (typeof text?.body === 'string') texts.set(id, [...(texts.get(id) ?? []), text]);
  };
  for (const { key, value, transaction } of survey.strayEntries()) {
    const id = key;
    if (!isWanted(id)) continue;
    addHead(id, value, transaction);
    addText(id, value);
  }
  // A page may have lost only its head or only its text.
  for (const { key, value, transaction } of survey.entries('heads', 'pages')) {
    if (isWanted(key)) addHead(key, value, transaction);
  }
  for (const { key, value } of survey.entries('texts', 'pages')) {
    if (isWanted(key)) addText(key, value);
  }
  for (const [id, versions] of heads) {
    versions.sort((one, other) => other.transaction - one.transaction);
    for (const { head } of versions) {
      // Without a checksum, only their number shows which text belongs to which head.
      const candidates = texts.get(id) ?? [];
      const isOnlyOne = candidates.length === 1 && versions.length === 1;
      const text =
        head.check || isOnlyOne ? candidates.find((candidate) => isTextOf(head, candidate)) : undefined;
      if (!text || found.has(id)) continue;
      found.set(id, joined(head, text));
    }
  }
  return found;
}
