import type { Database } from 'lmdb';
import { ServiceError } from '../../contract/errors.ts';
import type { Environment } from '../lmdb/environment.ts';
import type { Change } from '../page-store.ts';
import { commitFailure } from '../store-failure.ts';
import { createLazyDatabase, type LazyDatabase } from '../tables.ts';
import type { SealedBeginning, StoredHead, StoredText } from './page-checksum.ts';

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
