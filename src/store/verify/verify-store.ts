import type { PageHead } from '../../page.ts';
import { hostFactsTable, mendingTable } from '../host/host-facts.ts';
import { hostPagesTable } from '../host/host-pages.ts';
import {
  isBeginningOf,
  isTextOf,
  openHead,
  type SealedBeginning,
  type StoredHead,
  type StoredText,
} from '../page/page-checksum.ts';
import { privatePagesTable } from '../page/page-intake.ts';
import type { Survey } from './survey.ts';

/** The parts of a store that are checked, in the order of the report. */
export const storeParts = ['store file', 'pages', 'change log', 'tables', 'copies'] as const;

export interface StoreCheck {
  /** The number of checked items in each part. */
  readonly checked: Readonly<Record<(typeof storeParts)[number], number>>;
  /** The heads of undamaged pages by id. */
  readonly pages: ReadonlyMap<string, CheckedPage>;
  /** The ids of damaged pages, with what is known of them. */
  readonly dropped: ReadonlyMap<string, string>;
  /** The newest change of each page. */
  readonly log: ReadonlyMap<string, LoggedChange>;
  readonly lastSeq: number;
  /** Tokens of the log by their first entry; see `PageStore.epochAt`. */
  readonly epochs: readonly (readonly [seq: number, token: string])[];
  readonly tables: readonly string[];
}

export interface CheckedPage {
  readonly head: StoredHead;
  readonly url: string;
  readonly copyOf: string | undefined;
  readonly isHidden: boolean;
}

export interface LoggedChange {
  readonly seq: number;
  readonly kind: 'put' | 'remove';
}

/** Reads all entries of a store and compares its parts. Problems are reported to the survey. */
export function verifyStore(survey: Survey): StoreCheck {
  const pages = new Map<string, CheckedPage>();
  const dropped = new Map<string, string>();
  const drop = (id: string, name: string, why: string): void => {
    if (dropped.has(id)) return;
    dropped.set(id, name);
    pages.delete(id);
    survey.report('pages', `${name}: ${why}`);
  };

  const unread = new Map<string, StoredHead>();
  let heads = 0;
  for (const { key, value } of survey.entries('heads', 'pages')) {
    heads++;
    const id = key;
    const head = openHead(id, value as StoredHead);
    if (head) unread.set(id, value as StoredHead);
    else drop(id, id, 'its head is not what was stored');
  }
  for (const { key, value } of survey.entries('texts', 'pages')) {
    const id = key;
    const head = unread.get(id);
    if (!head) drop(id, id, 'it has a text and no head');
    else if (!isTextOf(head, value as StoredText)) drop(id, head.url, 'its text is not what was stored');
    else pages.set(id, checkedPage(head));
    unread.delete(id);
  }
  for (const [id, { url }] of unread) drop(id, url, 'its text is lost');
  for (const { key, value } of survey.entries('beginnings', 'pages')) {
    const page = pages.get(key);
    // The text is complete, so nothing is lost.
    if (page && !isBeginningOf(page.head, value as SealedBeginning)) {
      survey.report('pages', `${page.url}: the copy of its beginning is not what was stored`);
    }
  }

  const { log, lastSeq, epochs } = verifyLog(survey, pages, dropped, drop);
  const tables = survey.names.filter((name) => name.startsWith('table:'));
  let entries = 0;
  for (const table of tables.filter((name) => !copyTables.includes(name))) {
    for (const _ of survey.entries(table, 'tables')) entries++;
  }
  const copies = verifyCopies(survey, pages);
  const checked = {
    'store file': survey.pages,
    pages: heads,
    'change log': log.size,
    tables: entries,
    copies,
  };
  return { checked, pages, dropped, log, lastSeq, epochs, tables };
}

function checkedPage(head: StoredHead): CheckedPage {
  const { url, copyOf, isHidden = false } = head;
  return { head, url, copyOf, isHidden };
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a list of checks, each of one property of the log
function verifyLog(
  survey: Survey,
  pages: StoreCheck['pages'],
  dropped: StoreCheck['dropped'],
  drop: (id: string, name: string, why: string) => void,
): Pick<StoreCheck, 'log' | 'lastSeq' | 'epochs'> {
  const part = 'change log';
  const log = new Map<string, LoggedChange>();
  const epochs: [number, string][] = [];
  let lastSeq = 0;
  let counter = 0;
  for (const { key, value } of survey.entries('meta', part)) {
    if (key === 'seq' && typeof value === 'number') counter = value;
    const epoch = /^epoch:(\d+)$/.exec(key);
    if (epoch && typeof value === 'string') epochs.push([Number(epoch[1]), value]);
  }
  for (const { key, value } of survey.entries('changes', part)) {
    const { id, kind } = (value ?? {}) as { id?: unknown; kind?: unknown };
    const seq = Number(key);
    if (!Number.isInteger(seq) || typeof id !== 'string' || (kind !== 'put' && kind !== 'remove')) {
      survey.report(part, `entry ${key} is no change of a page`);
      continue;
    }
    if (log.has(id)) survey.report(part, `page ${id} has two entries`);
    log.set(id, { seq, kind });
    lastSeq = Math.max(lastSeq, seq);
  }
  let newest = 0;
  for (const { key, value } of survey.entries('seqs', part)) {
    newest++;
    const id = key;
    if (log.get(id)?.seq !== value) survey.report(part, `page ${id} names another entry than its newest`);
  }
  if (newest !== log.size) survey.report(part, `${log.size} entries, but ${newest} pages with one`);
  if (lastSeq > counter) survey.report(part, `it goes to entry ${lastSeq}, but the counter is at ${counter}`);
  for (const [id, { kind }] of log) {
    if (kind === 'put' && !pages.has(id) && !dropped.has(id)) drop(id, id, 'it is lost');
    if (kind === 'remove' && pages.has(id)) survey.report(part, `page ${id} is there, though it was removed`);
  }
  for (const [id, { url }] of pages) if (!log.has(id)) survey.report(part, `${url} has no entry`);
  return { log, lastSeq, epochs };
}

/** The tables of `createCopies`. */
const copyTables: readonly string[] = ['table:fingerprints', 'table:originals', 'table:copies'];
/** What a repair makes again from the pages: these, and what is known of their hosts. */
export const derivedTables: readonly string[] = [
  ...copyTables,
  ...[hostPagesTable, hostFactsTable, mendingTable, privatePagesTable].map((name) => `table:${name}`),
];
const idLength = 26;

function verifyCopies(survey: Survey, pages: StoreCheck['pages']): number {
  const part = 'copies';
  let count = 0;
  const idIn = (key: string): string => key.slice(-idLength);
  const isLost = (id: string): boolean => !pages.has(id);
  for (const { key } of survey.entries('table:fingerprints', part)) {
    count++;
    if (isLost(key)) survey.report(part, `a fingerprint of page ${key}, which is not there`);
  }
  for (const { key } of survey.entries('table:originals', part)) {
    count++;
    const original = pages.get(idIn(key));
    if (!original || original.copyOf !== undefined) {
      survey.report(part, `page ${idIn(key)} is listed as an original and is none`);
    }
  }
  const listed = new Set<string>();
  for (const { key } of survey.entries('table:copies', part)) {
    count++;
    listed.add(idIn(key));
    if (pages.get(idIn(key))?.copyOf !== key.slice(0, idLength)) {
      survey.report(part, `page ${idIn(key)} is listed as a copy and is none`);
    }
  }
  for (const [id, { url, copyOf }] of pages) {
    if (copyOf === undefined) continue;
    if (!listed.has(id)) survey.report(part, `${url} is a copy and not listed as one`);
    if (isLost(copyOf)) survey.report(part, `${url} is a copy of a page that is not there`);
  }
  return count;
}

/** A head without its checksum, as it is read. The head has passed `openHead`. */
export function bareHead(head: StoredHead): PageHead {
  return openHead(head.id, head) as PageHead;
}
