import type { Page } from '../../page.ts';
import type { Epochs } from '../epochs.ts';
import type { Change, Writer } from '../page-store.ts';
import { databaseOf } from '../tables.ts';
import { sealBeginning, sealHead, sealPage } from './page-checksum.ts';
import type { PageDatabases } from './page-databases.ts';
import { isPageId } from './page-id.ts';
import type { PageReader } from './page-reader.ts';

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
