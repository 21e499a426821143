import type { Database, Key, RangeOptions } from 'lmdb';
import type { Root } from './lmdb/environment.ts';

/** Entries that are read under one snapshot: few at first, for most scans end early. */
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
 * Reads a range in pieces and lets go of the snapshot after each: LMDB reuses no page that a reader may still see, so
 * one long scan would make the file grow with every write beside it. Each entry that is there from the beginning to
 * the end of the scan comes once, in the order of keys; one that is put or removed meanwhile may come or not.
 */
export function scan<Value, K extends Key>(
  root: Root,
  database: Database<Value, K>,
  range: ScanRange<K> = {},
): Generator<{ key: K; value: Value }> {
  const read = (piece: ScanRange<K>) => [...database.getRange(piece)] as { key: K; value: Value }[];
  return inPieces(root, range, read, ({ key }) => key);
}

/** The keys alone, in the same way: no value is decoded. */
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
