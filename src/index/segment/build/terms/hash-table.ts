/**
 * The part that all tables with open addressing share. A table is one typed array; an entry is `width` words of 32 bits
 * side by side, so that a look-up touches one cache line. The first word is the hash. Collisions go to the next entry
 * (linear probing), and at most half of the entries are used. Each table has its own loop for look-ups: what it
 * compares differs, and a shared loop with a callback would be slower.
 */
export interface EntryLayout {
  /** Words of an entry, a power of two. */
  readonly width: number;
  /** The word that is 0 in free entries and in no other. */
  readonly usedWord: number;
}

type Entries = Uint32Array | Int32Array;

/** Where the first entry is that a hash is looked up in. */
export function firstEntry(entries: Entries, width: number, hash: number): number {
  return Math.imul(hash, width) & (entries.length - 1);
}

/** The first free entry for a hash. */
export function freeEntry(entries: Entries, { width, usedWord }: EntryLayout, hash: number): number {
  const mask = entries.length - 1;
  let entry = firstEntry(entries, width, hash);
  while (entries[entry + usedWord] !== 0) entry = (entry + width) & mask;
  return entry;
}

/** The same table where at most half of it is used by `size` entries, else one of twice its length. */
export function growTable<Table extends Entries>(entries: Table, layout: EntryLayout, size: number): Table {
  const { width, usedWord } = layout;
  if (2 * size * width <= entries.length) return entries;
  const Kind = entries.constructor as new (length: number) => Table;
  const grown = new Kind(2 * entries.length);
  for (let old = 0; old < entries.length; old += width) {
    if (entries[old + usedWord] === 0) continue;
    const entry = freeEntry(grown, layout, entries[old] as number);
    for (let word = 0; word < width; word++) grown[entry + word] = entries[old + word] as number;
  }
  return grown;
}
