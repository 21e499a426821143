import { type ClusterReply, errorType } from '../cluster-client.ts';

/** What becomes of one page of a bulk request. */
export type ItemOutcome =
  /** The index has this version of the page or a newer one. */
  | { readonly kind: 'settled' }
  /** The page can never be indexed as it is. */
  | { readonly kind: 'failed'; readonly why: string }
  /** It is sent again; where the disks are full, after the longest pause. */
  | { readonly kind: 'again'; readonly isDiskFull: boolean }
  /** The index is gone. */
  | { readonly kind: 'gone' };

/** What becomes of a bulk request. */
export type BulkOutcome =
  | { readonly kind: 'items'; readonly items: readonly ItemOutcome[] }
  /** More than the cluster takes now, or ever: half of it is sent. */
  | { readonly kind: 'too much' }
  /** More bytes than a request may have. */
  | { readonly kind: 'too large' }
  | { readonly kind: 'again'; readonly why: string };

interface BulkItem {
  readonly status: number;
  readonly error?: { readonly type: string };
}

/**
 * Reads the answer to a bulk request of `count` items. Throws for an answer that means a fault of ours, such as a
 * malformed request. An answer for another number of items says nothing of any: all are sent again.
 */
export function bulkOutcome(reply: ClusterReply, count: number): BulkOutcome {
  if (reply.kind === 'unreachable') return { kind: 'again', why: reply.why };
  const { status, body } = reply;
  if (status === 429) return { kind: 'too much' };
  if (status === 413) return { kind: 'too large' };
  if (status >= 500 || status === 401 || status === 403)
    return { kind: 'again', why: `status ${status} ${errorType(body)}` };
  if (status !== 200) throw new Error(`OpenSearch refused a bulk request: ${status} ${errorType(body)}`);
  const items = ((body as { items?: Record<string, BulkItem>[] }).items ?? []).flatMap((item) =>
    Object.values(item),
  );
  if (items.length !== count)
    return { kind: 'again', why: `an answer for ${items.length} of ${count} pages` };
  return { kind: 'items', items: items.map(itemOutcome) };
}

/** By the table of statuses that a cluster answers for one item. */
function itemOutcome({ status, error }: BulkItem): ItemOutcome {
  const type = error?.type ?? '';
  if (status < 300) return { kind: 'settled' };
  // A newer version is there, or a page that was to be deleted never was.
  if (status === 409 || (status === 404 && error === undefined)) return { kind: 'settled' };
  if (status === 404) return { kind: 'gone' };
  if (status === 429 || status >= 500)
    return { kind: 'again', isDiskFull: type === 'cluster_block_exception' };
  return { kind: 'failed', why: type };
}
