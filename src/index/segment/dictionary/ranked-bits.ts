import { bitCount } from './bit-count.ts';

/** Bits of a word. */
const wordBits = 32;

/** Packs which numbers below `size` are marked: for each 32 numbers their bits, and how many are marked before them. */
export function packBits(size: number, isMarked: (number: number) => boolean): Uint32Array {
  const words = new Uint32Array(2 * Math.ceil(size / wordBits));
  let marked = 0;
  for (let first = 0; first < size; first += wordBits) {
    let bits = 0;
    for (let bit = 0; bit < wordBits && first + bit < size; bit++)
      if (isMarked(first + bit)) bits |= 1 << bit;
    words.set([bits, marked], (2 * first) / wordBits);
    marked += bitCount(bits);
  }
  return words;
}

/** Marked numbers, and the rank of each: how many are marked before it. */
export class RankedBits {
  private readonly words: Uint32Array;

  constructor(words: Uint32Array) {
    this.words = words;
  }

  has(number: number): boolean {
    return (((this.words[(number >>> 5) * 2] as number) >>> (number & 31)) & 1) === 1;
  }

  rank(number: number): number {
    const word = (number >>> 5) * 2;
    const below = (this.words[word] as number) & ((1 << (number & 31)) - 1);
    return (this.words[word + 1] as number) + bitCount(below);
  }

  /** Whether the ranks are right, and `total` of `size` numbers are marked; goes through all of them. */
  hasMarked(total: number, size: number): boolean {
    const { words } = this;
    if (words.length !== 2 * Math.ceil(size / wordBits)) return false;
    let marked = 0;
    for (let word = 0; word < words.length; word += 2) {
      if (words[word + 1] !== marked) return false;
      marked += bitCount(words[word] as number);
    }
    const isBeyond = size % wordBits > 0 && (words[words.length - 2] as number) >>> (size % wordBits) !== 0;
    return marked === total && !isBeyond;
  }
}
