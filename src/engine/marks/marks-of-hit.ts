import type { IndexHit } from '../../index/page-index.ts';
import type { PageMarks } from '../../index/page-marks.ts';
import type { LoadablePages } from '../../store/loadable-pages.ts';
import type { SearchBudget } from '../search-budget.ts';
import { createBodyMarks } from './body-marks.ts';

/**
 * The marks of a hit: those of the index, or else from the text of the page, which the budget pays for. `removed` if the
 * page is not stored any more, `unread` if the budget allows no more reading.
 */
export function marksOfHit(
  { id, marks }: Pick<IndexHit, 'id' | 'marks'>,
  { store, budget }: { readonly store: LoadablePages; readonly budget: SearchBudget },
): PageMarks | 'removed' | 'unread' {
  if (marks) return marks;
  if (budget.remaining('readCharacters') === 0) return 'unread';
  const beginning = store.beginning(id);
  if (!beginning) return 'removed';
  budget.spend('readCharacters', beginning.page.body.length);
  return createBodyMarks(beginning, { budget, wholeBody: () => store.page(id)?.body });
}
