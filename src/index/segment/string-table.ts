/** Numbered strings as UTF-8 in one array: string `n` is `text[offsets[n]]` to `text[offsets[n + 1]]`. */
export interface StringTable {
  readonly offsets: Uint32Array;
  readonly text: Uint8Array;
}

export function stringTable(strings: readonly string[]): StringTable {
  const offsets = new Uint32Array(strings.length + 1);
  for (const [index, string] of strings.entries()) {
    offsets[index + 1] = (offsets[index] as number) + Buffer.byteLength(string);
  }
  return { offsets, text: new Uint8Array(Buffer.from(strings.join(''))) };
}

export function stringsOf(table: StringTable): string[] {
  return Array.from({ length: table.offsets.length - 1 }, (_, index) => index).map(stringReader(table));
}

/** Returns the function that reads a string by its number. */
export function stringReader({ offsets, text }: StringTable): (index: number) => string {
  const bytes = bufferOf(text);
  return (index) => bytes.toString('utf8', offsets[index], offsets[index + 1]);
}

/** The same bytes, with the methods of a buffer. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Whether the string with this number begins with these bytes. */
export function startsWith({ offsets, text }: StringTable, index: number, prefix: Uint8Array): boolean {
  const start = offsets[index] as number;
  if ((offsets[index + 1] as number) - start < prefix.length) return false;
  for (let byte = 0; byte < prefix.length; byte++) {
    if (text[start + byte] !== prefix[byte]) return false;
  }
  return true;
}

/** The number of the first string that is not below these bytes, in a table that is sorted by its bytes. */
export function lowerBound(table: StringTable, bytes: Uint8Array): number {
  let low = 0;
  let high = table.offsets.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareTo(table, middle, bytes) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** As `memcmp` of a string of the table and these bytes: negative if the string is below them, 0 if they are equal. */
export function compareTo({ offsets, text }: StringTable, index: number, bytes: Uint8Array): number {
  const start = offsets[index] as number;
  const length = (offsets[index + 1] as number) - start;
  const shared = Math.min(length, bytes.length);
  for (let byte = 0; byte < shared; byte++) {
    const difference = (text[start + byte] as number) - (bytes[byte] as number);
    if (difference !== 0) return difference;
  }
  return length - bytes.length;
}
