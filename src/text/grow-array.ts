/** The array itself if it is long enough, else a copy of at least twice its length. */
export function growArray<Items extends Uint8Array | Uint16Array | Uint32Array>(
  items: Items,
  length: number,
): Items {
  if (length <= items.length) return items;
  const Kind = items.constructor as new (length: number) => Items;
  const grown = new Kind(Math.max(length, 2 * items.length));
  grown.set(items);
  return grown;
}
