/** The number of bits that are set in a word of 32 bits. */
export function bitCount(word: number): number {
  let count = word - ((word >>> 1) & 0x5555_5555);
  count = (count & 0x3333_3333) + ((count >>> 2) & 0x3333_3333);
  return (((count + (count >>> 4)) & 0x0f0f_0f0f) * 0x0101_0101) >>> 24;
}
