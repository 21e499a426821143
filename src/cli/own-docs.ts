import type { Keep } from '../engine/keep.ts';
import { createExtractor } from '../extract/extract.ts';
import type { DocsPages } from '../http/docs.ts';
import type { Clock } from '../outside.ts';
import type { Page } from '../page.ts';
import { pageId } from '../store/page-id.ts';
import type { PageStore } from '../store/page-store.ts';

/** Under which address, and of which version, our own documentation is in the index. */
interface OwnDocsRecord {
  readonly origin: string;
  readonly version: string;
  readonly ids: readonly string[];
}

interface OwnDocsOptions {
  readonly store: PageStore;
  readonly keep: Keep;
  readonly docs: DocsPages;
  /** Where `serve` shows the documentation now. */
  readonly origin: string;
  readonly version: string;
  readonly now: Clock;
}

/**
 * Fills an empty index with this project's own documentation, so that a newcomer's first search finds something.
 * Pages of an earlier start, under another address or of another version, are replaced; an index that was filled by
 * somebody else is left alone.
 */
export async function keepOwnDocs({
  store,
  keep,
  docs,
  origin,
  version,
  now,
}: OwnDocsOptions): Promise<void> {
  const table = store.table<OwnDocsRecord>('own-docs');
  const kept = table.get('pages');
  const stale = kept !== undefined && (kept.origin !== origin || kept.version !== version);
  if (!stale && store.pageCount() > 0) return;

  const extract = createExtractor({ detectLanguage: () => 'en', now });
  const pages = docs.flatMap(({ path, html }): Page[] => {
    const url = new URL(path, origin).href;
    const extraction = extract({
      url,
      bytes: Buffer.from(html),
      contentType: 'text/html; charset=utf-8',
    });
    if (extraction.kind !== 'page') return [];
    const { canonical, links, robots, ...fields } = extraction.page;
    return [{ ...fields, id: pageId(url), url, siteName: 'Gleaner', crawledAt: now() }];
  });

  const ids = new Set(pages.map(({ id }) => id));
  for (const id of kept?.ids ?? []) if (!ids.has(id)) await keep.remove(id);
  for (const page of pages) await keep.put(page);
  await store.write((writer) => writer.put(table, 'pages', { origin, version, ids: [...ids] }));
  await store.yieldWriter();
}
