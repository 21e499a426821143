/** V8 copies slices up to this length; a longer one keeps the text that it was cut from alive. */
export const maxCopiedSlice = 12;

/** The same string with no hold on the page that it was cut from: terms outlive pages. */
export function copyString(slice: string): string {
  if (slice.length <= maxCopiedSlice) return slice;
  return Buffer.from(slice, 'utf16le').toString('utf16le');
}
