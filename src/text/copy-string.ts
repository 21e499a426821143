/** V8 copies slices up to this length. A longer slice keeps the whole text alive that it was cut from. */
export const maxCopiedSlice = 12;

/** A copy of a string that does not keep the page in memory that it was cut from: terms outlive pages. */
export function copyString(slice: string): string {
  if (slice.length <= maxCopiedSlice) return slice;
  return Buffer.from(slice, 'utf16le').toString('utf16le');
}
