import { openStoredValues } from '../page/stored-values.ts';
import { dataFileOf } from '../store-file.ts';
import {
  type LmdbFile,
  type LmdbMeta,
  type LmdbTree,
  metaThatOpens,
  openLmdbFile,
  readMetas,
  treePage,
} from './lmdb-file.ts';
import { databasesIn, entriesOfTable, walkTree } from './lmdb-tree.ts';

/** One problem in a data folder. */
export interface Finding {
  readonly part: string;
  readonly what: string;
}

export interface StoredEntry {
  /** For the change log, the entry's number as text. */
  readonly key: string;
  readonly value: unknown;
  readonly transaction: number;
}

/** A store's file, read page by page without LMDB, so that nothing in it can end the process. */
export interface Survey {
  readonly pages: number;
  readonly transaction: number;
  /** The names of the databases. */
  readonly names: readonly string[];
  readonly findings: readonly Finding[];
  /** All readable entries of a database. Unreadable ones are findings, reported as `part`. */
  entries(name: string, part: string): Iterable<StoredEntry>;
  /** Entries of leaf pages that no tree leads to: those behind a damaged page, and replaced or removed ones. */
  strayEntries(): Iterable<StoredEntry>;
  report(part: string, what: string): void;
  close(): Promise<void>;
}

/** Findings that are kept; a store with more is past counting. */
const maxFindings = 10_000;

/** Opens a store's file with any kind of damage. Throws the system's error if the file cannot be read at all. */
export function surveyStore(storeFolder: string): Survey {
  const file = openLmdbFile(dataFileOf(storeFolder));
  const values = openStoredValues();
  const findings: Finding[] = [];
  const report = (part: string, what: string): void => {
    if (findings.length < maxFindings) findings.push({ part, what });
  };
  const seen = new Set<number>();
  const fileBytes = file.size();
  const state = fileBytes === 0 ? emptyState(4096) : stateOf(file, report);
  const trees = new Map<string, LmdbTree>();
  for (const step of walkTree(file, state, state.main, seen)) {
    if (step.kind === 'damaged') report('store file', step.why);
    else if (step.page.isLeaf) for (const [name, tree] of databasesIn(step.page)) trees.set(name, tree);
  }
  for (const step of walkTree(file, state, state.free, seen)) {
    if (step.kind === 'damaged') report('store file', `list of free pages: ${step.why}`);
  }

  const decoded = (part: string, entry: { key: Buffer; value: Buffer; transaction: number }) => {
    let key = '';
    try {
      key = keyOf(values.key(entry.key));
      return { key, value: values.value(entry.value), transaction: entry.transaction };
    } catch (error) {
      report(part, `${key === '' ? 'an entry' : key}: ${(error as Error).message}`);
      return undefined;
    }
  };

  return {
    pages: state.lastPage + 1,
    transaction: state.transaction,
    names: [...trees.keys()],
    findings,
    report,
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a generator: what it yields cannot move into functions of their own
    *entries(name, part) {
      const tree = trees.get(name);
      if (tree === undefined) return;
      let count = 0;
      const own = new Set<number>();
      for (const step of walkTree(file, state, tree, own)) {
        if (step.kind === 'damaged') {
          report(part, step.why);
          continue;
        }
        seen.add(step.page.number);
        if (!step.page.isLeaf) continue;
        for (const entry of entriesOfTable(file, state, step.page, own)) {
          count++;
          if (typeof entry === 'string') report(part, entry);
          const known = typeof entry === 'string' ? undefined : decoded(part, entry);
          if (known) yield known;
        }
      }
      if (count !== tree.entries)
        report(part, `${count} of ${tree.entries} entries of ${name} were come across`);
    },
    *strayEntries() {
      for (let number = 2; number * state.pageSize < fileBytes; number++) {
        if (seen.has(number)) continue;
        const bytes = file.read(number * state.pageSize, state.pageSize);
        const page = bytes.length < state.pageSize ? '' : treePage(bytes, number, state.lastPage);
        if (typeof page === 'string' || !page.isLeaf || databasesIn(page).length > 0) continue;
        for (const entry of entriesOfTable(file, state, page)) {
          if (typeof entry === 'string') continue;
          try {
            const key = keyOf(values.key(entry.key));
            yield { key, value: values.value(entry.value), transaction: entry.transaction };
          } catch {
            // Free pages have their last content.
          }
        }
      }
    },
    close: async () => {
      file.close();
      await values.close();
    },
  };
}

/** All keys are strings or numbers. A damaged key may decode to anything. */
function keyOf(key: unknown): string {
  if (typeof key !== 'string' && typeof key !== 'number') throw new Error('its key cannot be decoded');
  return String(key);
}

type State = Pick<LmdbMeta, 'pageSize' | 'lastPage' | 'transaction' | 'free' | 'main'>;

const noTree: LmdbTree = { flags: 0, depth: 0, entries: 0, root: Number(0xffff_ffff_ffff_ffffn) };

function emptyState(pageSize: number): State {
  return { pageSize, lastPage: 1, transaction: 0, free: noTree, main: noTree };
}

/** The state that LMDB opens; if its meta pages are lost, one from the newest list of databases in the file. */
function stateOf(file: LmdbFile, report: Survey['report']): State {
  const metas = readMetas(file);
  if (typeof metas !== 'string') {
    const meta = metaThatOpens(metas);
    if (!leadsToHeads(file, meta)) {
      report('store file', 'its newest state does not lead to the pages');
      for (const other of [metas.first, metas.second, metas.synced]) {
        if (other && leadsToHeads(file, other)) return other;
      }
      return found(file, meta.pageSize) ?? meta;
    }
    return meta;
  }
  report('store file', metas);
  for (const pageSize of [4096, 8192, 16_384, 32_768, 65_536]) {
    const state = found(file, pageSize);
    if (state) return state;
  }
  return emptyState(4096);
}

function leadsToHeads(file: LmdbFile, meta: State): boolean {
  for (const step of walkTree(file, meta, meta.main, new Set())) {
    if (step.kind === 'page' && step.page.isLeaf && databasesIn(step.page).some(([name]) => name === 'heads'))
      return true;
  }
  return meta.main.root === noTree.root;
}

/** A state made from the newest leaf page that lists the databases. */
function found(file: LmdbFile, pageSize: number): State | undefined {
  const lastPage = Math.floor(file.size() / pageSize) - 1;
  let newest: State | undefined;
  for (let number = 2; number <= lastPage; number++) {
    const page = treePage(file.read(number * pageSize, pageSize), number, lastPage);
    if (typeof page === 'string' || !page.isLeaf || page.transaction <= (newest?.transaction ?? -1)) continue;
    const listed = databasesIn(page);
    if (!listed.some(([name]) => name === 'heads')) continue;
    const main = { flags: 0, depth: 1, entries: page.nodes.length, root: number };
    newest = { pageSize, lastPage, transaction: page.transaction, free: noTree, main };
  }
  return newest;
}
