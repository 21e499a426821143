/** Estimated bytes of an object, and of a property or an item, besides its text. */
const objectBytes = 64;
const itemBytes = 16;

/** Estimates the memory of a JSON value, in bytes. Strings count with two bytes a unit. */
export function jsonBytes(value: unknown): number {
  if (typeof value === 'string') return itemBytes + 2 * value.length;
  if (typeof value !== 'object' || value === null) return itemBytes;
  let bytes = objectBytes;
  if (Array.isArray(value)) for (const item of value) bytes += jsonBytes(item);
  else for (const key in value) bytes += itemBytes + jsonBytes(value[key as keyof typeof value]);
  return bytes;
}
