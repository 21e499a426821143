import type { Database, Key, RangeOptions } from 'lmdb';
import type { Root } from './lmdb/environment.ts';

/** Entries that are read in one snapshot: few at first, because most scans end early. */
const firstChunk = 16;
const maxChunk = 512;

export interface ScanRange<K extends Key> extends Pick<RangeOptions, 'reverse'> {
  readonly start?: K;
  readonly end?: K;
  readonly exclusiveStart?: boolean;
  readonly inclusiveEnd?: boolean;
  readonly limit?: number;
}

/**
 * Reads a range in batches, each in a snapshot of its own. LMDB does not reuse pages that a reader may still see, so with
 * one snapshot for a long scan, every concurrent write would make the file grow. Entries that exist during the whole scan
 * are returned once, in the order of keys; entries that are put or removed meanwhile may be returned or not.
 */
export function scan<Value, K extends Key>(
  root: Root,
  database: Database<Value, K>,
  range: ScanRange<K> = {},
): Generator<{ key: K; value: Value }> {
  const read = (piece: ScanRange<K>) => [...database.getRange(piece)] as { key: K; value: Value }[];
  return inPieces(root, range, read, ({ key }) => key);
}

/** As `scan`, for the keys alone: no value is decoded. */
export function scanKeys<K extends Key>(
  root: Root,
  database: Database<unknown, K>,
  range: ScanRange<K> = {},
): Generator<K> {
  return inPieces(
    root,
    range,
    (piece) => [...database.getKeys(piece)],
    (key) => key,
  );
}

function* inPieces<Item, K extends Key>(
  root: Root,
  range: ScanRange<K>,
  read: (piece: ScanRange<K>) => Item[],
  keyOf: (item: Item) => K,
): Generator<Item> {
  let remaining = range.limit ?? Number.POSITIVE_INFINITY;
  let next: ScanRange<K> = range;
  for (let size = firstChunk; remaining > 0; size = Math.min(2 * size, maxChunk)) {
    const limit = Math.min(size, remaining);
    const chunk = read({ ...next, limit });
    yield* chunk;
    const last = chunk.at(-1);
    if (last === undefined || chunk.length < limit) return;
    remaining -= limit;
    next = { ...range, start: keyOf(last), exclusiveStart: true };
    root.resetReadTxn();
  }
}
