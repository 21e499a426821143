import { type SiteRecord, sitesTable } from '../store/host/site-record.ts';
import type { PageSource } from '../store/loadable-pages.ts';
import { privatePagesTable } from '../store/page/page-intake.ts';
import { createStructures } from '../store/page/structures.ts';
import type { PageStore } from '../store/page-store.ts';
import { addressOf } from '../text/page-address.ts';

/** The pages of a store, which need no loading. */
export function createStoredPages(store: PageStore): PageSource {
  const structures = createStructures(store);
  const privatePages = store.table<true>(privatePagesTable);
  const sites = store.table<SiteRecord>(sitesTable);
  return {
    open: () => store,
    pageCount: store.pageCount,
    privatePageCount: () => privatePages.count(),
    structureOf: structures.of,
    hasLlmsTxt: (url) => sites.get(addressOf(url).host)?.hasLlmsTxt ?? false,
  };
}
