import type { Page } from '../../../page.ts';
import type { IndexChange } from '../../page-index.ts';
import type { Generation } from '../generation.ts';
import { type PageFacts, pageDocument } from '../page-document.ts';
import type { BulkOperation } from './send-operations.ts';

/**
 * The lines of a bulk request for one change. Its version is the number of the change, so an older change never replaces
 * a newer one, however often and in whatever order they are sent.
 */
export function bulkOperation(
  change: IndexChange,
  { name, meta }: Pick<Generation, 'name' | 'meta'>,
  factsOf?: (page: Page) => PageFacts,
): BulkOperation {
  const id = change.kind === 'put' ? change.page.id : change.id;
  const target = { _index: name, _id: id, version: change.seq, version_type: 'external' };
  if (change.kind === 'remove') return { id, lines: `${JSON.stringify({ delete: target })}\n` };
  const document = pageDocument(change.page, meta.averageLengths, factsOf?.(change.page));
  return { id, lines: `${JSON.stringify({ index: target })}\n${JSON.stringify(document)}\n` };
}
