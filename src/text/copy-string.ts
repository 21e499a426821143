/** V8 copies slices up to this length; a longer one keeps the text that it was cut from alive. */
export const longestCopiedSlice = 12;

/** The same string with no hold on the page that it was cut from: terms outlive pages. */
export function detached(slice: string): string {
  if (slice.length <= longestCopiedSlice) return slice;
  return Buffer.from(slice, 'utf16le').toString('utf16le');
}
