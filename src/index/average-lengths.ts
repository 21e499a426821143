import type { PageStore } from '../store/page-store.ts';
import type { PerField } from './bm25f.ts';
import { TermCounter } from './segment/build/terms/term-counter.ts';

/** Sample size for the mean length of a field. */
const averageSample = 2000;

/** Mean lengths of the fields over a sample of the store's pages, taken evenly in the order of their ids. */
export function averageLengthsOf(store: Pick<PageStore, 'pageCount' | 'ids' | 'page'>): PerField {
  const step = Math.max(1, Math.floor(store.pageCount() / averageSample));
  const counter = new TermCounter();
  const sums = [0, 0, 0, 0];
  let index = 0;
  let takenPages = 0;
  for (const id of store.ids()) {
    if (index++ % step !== 0) continue;
    const page = store.page(id);
    if (!page) continue;
    takenPages++;
    counter.countExact(page);
    for (const [field, length] of counter.lengths.entries()) sums[field] = (sums[field] ?? 0) + length;
  }
  return sums.map((sum) => sum / Math.max(1, takenPages)) as unknown as PerField;
}
