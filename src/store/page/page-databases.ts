import type { Database } from 'lmdb';
import { ServiceError } from '../../contract/errors.ts';
import type { Page } from '../../page.ts';
import type { Epochs } from '../epochs.ts';
import type { Environment } from '../lmdb/environment.ts';
import type { Change, Writer } from '../page-store.ts';
import { commitFailure } from '../store-failure.ts';
import { createLazyDatabase, databaseOf, type LazyDatabase } from '../tables.ts';
import {
  type SealedBeginning,
  type StoredHead,
  type StoredText,
  sealBeginning,
  sealHead,
  sealPage,
} from './page-checksum.ts';
import { isPageId } from './page-id.ts';
import type { PageReader } from './page-reader.ts';

/** Increased when the layout changes so that older data cannot be read any more. */
const formatVersion = 1;

/**
 * Layout (one LMDB environment): `heads` id -> PageHead, `texts` id -> headings and body (LZ4), `beginnings` id -> the
 * first part of a long body (LZ4; missing in folders of older versions), `changes` seq -> Change, `seqs` id -> the seq of
 * its newest change, `meta`, and one database for each table. Older changes of a page are dropped, so the log has at most
 * one entry for each page that ever existed.
 */
export interface PageDatabases {
  readonly heads: Database<StoredHead, string>;
  readonly texts: Database<StoredText, string>;
  readonly beginnings: LazyDatabase<SealedBeginning>;
  readonly changes: Database<Omit<Change, 'seq'>, number>;
  readonly seqs: Database<number, string>;
  readonly meta: Database<unknown, string>;
}

const textOptions = { compression: true };

/**
 * Opens the databases of a store, or creates those of a new one. Throws a `ServiceError` (`unavailable`) for data in
 * another format.
 */
export function openPageDatabases(environment: Environment, folder: string): PageDatabases {
  const { root } = environment;
  const found = openWith(environment, environment.find);
  const databases = found ?? makeDatabases();

  // The only synchronous write: in a new folder, where no other process is writing.
  function makeDatabases(): PageDatabases {
    try {
      return root.transactionSync(() => {
        const made = openWith(environment, environment.make) as PageDatabases;
        if (made.meta.get('format') === undefined) made.meta.putSync('format', formatVersion);
        return made;
      });
    } catch (error) {
      throw commitFailure(error, folder);
    }
  }

  const format = databases.meta.get('format') as number | undefined;
  if (format !== formatVersion) {
    throw new ServiceError(
      'unavailable',
      `the data folder ${folder} has format ${format}, this Gleaner reads ${formatVersion}: use the Gleaner that wrote it, or another --data`,
    );
  }
  return databases;
}

/** Undefined if one of them is missing. */
function openWith(environment: Environment, open: Environment['find']): PageDatabases | undefined {
  const heads = open<StoredHead, string>('heads');
  const texts = open<StoredText, string>('texts', textOptions);
  const beginnings = createLazyDatabase<SealedBeginning>(environment, 'beginnings', textOptions);
  const changes = open<Omit<Change, 'seq'>, number>('changes');
  const seqs = open<number, string>('seqs');
  const meta = open<unknown, string>('meta');
  return heads && texts && changes && seqs && meta && { heads, texts, beginnings, changes, seqs, meta };
}

/** How pages and entries of tables are written, inside a transaction. */
export function createDatabaseWriter(
  { heads, texts, beginnings, changes, seqs, meta }: PageDatabases,
  reader: PageReader,
  epochs: Epochs,
): Writer {
  const logChange = (id: string, kind: Change['kind']): void => {
    const older = seqs.get(id);
    const seq = ((meta.get('seq') as number | undefined) ?? 0) + 1;
    if (older !== undefined) changes.removeSync(older);
    changes.putSync(seq, { id, kind });
    seqs.putSync(id, seq);
    meta.putSync('seq', seq);
    epochs.note(seq);
  };

  return {
    put: (table, key, value) => databaseOf(table).putSync(key, value),
    delete: (table, key) => {
      databaseOf(table).removeSync(key);
    },
    putPage: (page: Page) => {
      const { head, text } = sealPage(page);
      heads.putSync(head.id, head);
      texts.putSync(head.id, text);
      const beginning = sealBeginning(head, text);
      if (beginning) databaseOf(beginnings).putSync(head.id, beginning);
      else databaseOf(beginnings).removeSync(head.id);
      reader.mended(head.id);
      logChange(head.id, 'put');
    },
    markPage: (id, { copyOf, isHidden }) => {
      const stored = reader.head(id);
      if (!stored) return;
      const { copyOf: wasCopyOf, isHidden: wasHidden, ...head } = stored;
      const marked = { ...head, ...(copyOf !== undefined && { copyOf }), ...(isHidden && { isHidden }) };
      heads.putSync(id, sealHead(marked, reader.textCheck(id)));
      const isFoundAlike = (copyOf === undefined) === (wasCopyOf === undefined) && isHidden === wasHidden;
      if (!isFoundAlike) logChange(id, 'put');
    },
    reindexPage: (id) => {
      if (isPageId(id) && heads.doesExist(id)) logChange(id, 'put');
    },
    removePage: (id) => {
      if (!heads.removeSync(id)) return false;
      texts.removeSync(id);
      databaseOf(beginnings).removeSync(id);
      logChange(id, 'remove');
      return true;
    },
  };
}
