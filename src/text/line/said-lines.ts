import { foldForComparison } from './fold-for-comparison.ts';

/** Says of each line whether one before it was the same by `foldForComparison`. */
export function createSaidLines(): (line: string) => boolean {
  const byHash = new Map<number, string>();
  const folded = new Set<string>();

  /** Most lines are said once and are plain: their hash tells, and they are not folded. */
  return (line) => {
    let text = line;
    let hash = plainHash(text);
    if (hash === undefined) {
      text = foldForComparison(line);
      hash = plainHash(text);
    }
    if (hash === undefined) return !isNew(folded, text);
    const first = byHash.get(hash);
    if (first === undefined) {
      byHash.set(hash, text);
      return false;
    }
    const whole = foldForComparison(text);
    return whole === foldForComparison(first) || !isNew(folded, whole);
  };
}

function isNew(set: Set<string>, text: string): boolean {
  const { size } = set;
  return set.add(text).size > size;
}

/**
 * A hash (FNV-1a) of what `foldForComparison` makes of a text of ASCII with the usual quotation marks and dashes; undefined for
 * other texts.
 */
function plainHash(text: string): number | undefined {
  let hash = 0x811c9dc5;
  let isSpaced = true;
  let owesSpace = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const small = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    if ((small >= 0x61 && small <= 0x7a) || (code >= 0x30 && code <= 0x39)) {
      if (owesSpace) hash = Math.imul(hash ^ 0x20, 0x01000193);
      hash = Math.imul(hash ^ small, 0x01000193);
      isSpaced = false;
      owesSpace = false;
    } else if (code <= 0x7f || code === 0xa0 || (code >= 0x2013 && code <= 0x2022)) owesSpace = !isSpaced;
    else return undefined;
  }
  return hash;
}
