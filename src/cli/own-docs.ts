import { connect } from 'node:net';
import { ServiceError } from '../contract/errors.ts';
import { createExtractor } from '../extract/extract.ts';
import { pageFromExtraction } from '../extract/page-from-extraction.ts';
import type { DocsPages } from '../http/pages/docs.ts';
import type { Page } from '../page.ts';
import type { Clock } from '../runtime.ts';
import { pageId } from '../store/page/page-id.ts';
import { createPageIntake } from '../store/page/page-intake.ts';
import type { PageStore } from '../store/page-store.ts';
import type { PageWriter } from '../store/page-writer.ts';
import { sayOnStderr } from './output/say.ts';

/** The address and version under which our own documentation is in the index. */
interface OwnDocsRecord {
  readonly origin: string;
  readonly version: string;
  readonly ids: readonly string[];
}

interface OwnDocsOptions {
  readonly store: PageStore;
  readonly pageWriter: PageWriter;
  readonly docs: DocsPages;
  /** The address of the documentation that `serve` shows now. */
  readonly origin: string;
  readonly version: string;
  readonly now: Clock;
}

const tableName = 'own-docs';
const recordKey = 'pages';

/**
 * Fills an empty index with this project's own documentation, so that the first search of a new user finds something.
 * Pages of an earlier start, under another address or of another version, are replaced, unless a service still answers
 * there. They are removed from an index that has other pages.
 */
export async function keepOwnDocs(options: OwnDocsOptions): Promise<void> {
  const { store, pageWriter, docs, origin, version, now } = options;
  const table = store.table<OwnDocsRecord>(tableName);
  const record = table.get(recordKey);
  const ours = record?.ids.filter((id) => store.head(id)) ?? [];
  if (store.pageCount() > ours.length) return dropOwnDocs(store);
  if (record?.origin === origin && record.version === version) return;
  if (record && record.origin !== origin && (await isReachable(record.origin))) return;

  const extract = createExtractor({ detectLanguage: () => 'en', now });
  const pages = docs.flatMap(({ path, html }): Page[] => {
    const url = new URL(path, origin).href;
    const extraction = extract({
      url,
      bytes: Buffer.from(html),
      contentType: 'text/html; charset=utf-8',
    });
    if (extraction.kind !== 'page') return [];
    const page = pageFromExtraction(extraction.page, { id: pageId(url), url, crawledAt: now() });
    return [{ ...page, siteName: 'Gleaner' }];
  });

  const ids = new Set(pages.map(({ id }) => id));
  for (const id of record?.ids ?? []) if (!ids.has(id)) await pageWriter.remove(id);
  for (const page of pages) await pageWriter.put(page);
  await store.write((writer) => writer.put(table, recordKey, { origin, version, ids: [...ids] }));
  await store.yieldWriter();
}

/** Whether the index holds no page but our own documentation. */
export function holdsOwnDocsAlone(store: Pick<PageStore, 'pageCount' | 'table'>): boolean {
  const ids = store.table<OwnDocsRecord>(tableName).get(recordKey)?.ids ?? [];
  return store.pageCount() <= ids.length;
}

/** The service runs without its documentation in the index, for example while another process writes. */
export function ownDocsFailed(error: unknown): void {
  if (!(error instanceof ServiceError)) throw error;
  sayOnStderr(`The documentation was not added to the index: ${error.message}`);
}

/** Removes our documentation from the index: it is for new users only. */
export async function dropOwnDocs(store: PageStore): Promise<void> {
  const table = store.table<OwnDocsRecord>(tableName);
  const record = table.get(recordKey);
  if (!record) return;
  const pages = createPageIntake(store);
  await store.write((writer) => {
    for (const id of record.ids) pages.remove(writer, id);
    writer.delete(table, recordKey);
  });
  await store.yieldWriter();
}

/** Whether another service over the same folder accepts connections at this address. */
function isReachable(origin: string): Promise<boolean> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), timeout: 500 });
    const settle = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(false));
    socket.once('error', () => settle(false));
  });
}
