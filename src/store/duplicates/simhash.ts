/** Shorter texts are only compared as a whole: a single word would change too many bits of their fingerprint. */
const leastWords = 150;

/** Maximum difference, in bits, of two fingerprints of the same text (Manku et al. 2007, section 3). */
export const maxDistance = 3;

/**
 * A 64-bit fingerprint in 16 hexadecimal digits that differs in few bits for texts that differ in little: M. Charikar,
 * "Similarity estimation techniques from rounding algorithms", STOC 2002, as G. Manku, A. Jain and A. Das Sarma used
 * it in "Detecting near-duplicates for web crawling", WWW 2007. Its features are the distinct shingles: each bit is the
 * majority of that bit over the hashes of all. Repeated shingles count once: otherwise the text that all pages of a site
 * share would outweigh the text of each. Null for a text of fewer than 150 words. Linear in the length of the text.
 */
export function simhash(text: string): string | null {
  const { shingles, words } = shinglesOf(text);
  if (words < leastWords) return null;
  const ones = new Uint32Array(64);
  for (const shingle of shingles) {
    const high = mix(shingle ^ 0x5bd1e995);
    for (let bit = 0; bit < 32; bit++) {
      ones[bit] = (ones[bit] as number) + ((shingle >>> bit) & 1);
      ones[bit + 32] = (ones[bit + 32] as number) + ((high >>> bit) & 1);
    }
  }
  const half = shingles.size / 2;
  let [low, high] = [0, 0];
  for (let bit = 0; bit < 32; bit++) {
    if ((ones[bit] as number) > half) low |= 1 << bit;
    if ((ones[bit + 32] as number) > half) high |= 1 << bit;
  }
  return hex(high) + hex(low);
}

/**
 * The hashes of a text's distinct runs of three words, in lower case, and how many words it has; a CJK character is a
 * word. A. Broder, "On the resemblance and containment of documents", 1997.
 */
export function shinglesOf(text: string): { readonly shingles: ReadonlySet<number>; readonly words: number } {
  const shingles = new Set<number>();
  let words = 0;
  let [beforeLast, last] = [0, 0];
  let hash = fnvBasis;
  let inWord = false;

  const endWord = (): void => {
    if (!inWord) return;
    const word = mix(hash);
    if (words++ > 1)
      shingles.add(mix(Math.imul(mix(Math.imul(beforeLast, 0x9e3779b1) ^ last), 0x9e3779b1) ^ word));
    [beforeLast, last] = [last, word];
    hash = fnvBasis;
    inWord = false;
  };

  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const kind = kindOf(unit);
    if (kind !== 'letter') endWord();
    if (kind === 'gap') continue;
    hash = Math.imul(hash ^ (unit >= 65 && unit <= 90 ? unit + 32 : unit), fnvPrime);
    inWord = true;
    if (kind === 'sign') endWord();
  }
  endWord();
  return { shingles, words };
}

/** In how many of their 64 bits two fingerprints differ. */
export function hammingDistance(one: string, other: string): number {
  return (
    onesOf(Number.parseInt(one.slice(0, 8), 16) ^ Number.parseInt(other.slice(0, 8), 16)) +
    onesOf(Number.parseInt(one.slice(8), 16) ^ Number.parseInt(other.slice(8), 16))
  );
}

const fnvBasis = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** A letter continues its word; a sign is a word by itself, as in scripts without spaces. */
function kindOf(unit: number): 'letter' | 'sign' | 'gap' {
  if (unit < 0x80) {
    const isWord = (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57);
    return isWord ? 'letter' : 'gap';
  }
  if (unit < 0xc0) return 'gap';
  if (unit < 0x2000) return 'letter';
  // General punctuation up to the symbols, CJK punctuation, full-width punctuation.
  if (unit < 0x2e80 || (unit >= 0x3000 && unit <= 0x3020) || (unit >= 0xff00 && unit <= 0xff0f)) return 'gap';
  return 'sign';
}

/** The finalizer of MurmurHash3: every bit of the input affects every bit of the result. */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function hex(half: number): string {
  return (half >>> 0).toString(16).padStart(8, '0');
}

function onesOf(bits: number): number {
  let left = bits;
  let count = 0;
  for (; left !== 0; left &= left - 1) count++;
  return count;
}
