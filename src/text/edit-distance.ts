/** The units of a word: UTF-16, or bytes where both words are ASCII. */
export type Units = Uint8Array | Uint16Array;

/** Longest word that can be compared, in UTF-16 units. */
export const maxComparedLength = 64;

/** The edit distance from one word to the units from `start` to `end`. A result above `max` only means "more than `max`". */
export type DistanceTo = (units: Units, start: number, end: number, max: number) => number;

/**
 * Returns the function that measures the edit distance of other words from this one: one for each letter that is left
 * out, added or replaced, or swapped with its neighbor, and no letter edited twice (optimal string alignment). No word
 * may be longer than `maxComparedLength`.
 */
export function createDistance(word: string): DistanceTo {
  const own = Uint16Array.from(word, (_, index) => word.charCodeAt(index));
  let beforeLast = new Uint8Array(maxComparedLength + 1);
  let last = new Uint8Array(maxComparedLength + 1);
  let row = new Uint8Array(maxComparedLength + 1);

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the innermost loop of suggestions: no calls in it
  return (units, start, end, max) => {
    let ownStart = 0;
    let ownEnd = own.length;
    while (ownStart < ownEnd && start < end && own[ownStart] === units[start]) {
      ownStart++;
      start++;
    }
    while (ownStart < ownEnd && start < end && own[ownEnd - 1] === units[end - 1]) {
      ownEnd--;
      end--;
    }
    const [height, width] = [ownEnd - ownStart, end - start];
    if (Math.abs(height - width) > max) return max + 1;
    if (height === 0 || width === 0) return height + width;
    for (let j = 0; j <= width; j++) last[j] = j;
    for (let i = 1; i <= height; i++) {
      const unit = own[ownStart + i - 1];
      const unitBefore = i > 1 ? own[ownStart + i - 2] : -1;
      row[0] = i;
      let min = i;
      for (let j = 1; j <= width; j++) {
        const other = units[start + j - 1];
        let distance = (last[j - 1] as number) + (unit === other ? 0 : 1);
        distance = Math.min(distance, (last[j] as number) + 1, (row[j - 1] as number) + 1);
        if (j > 1 && unit === units[start + j - 2] && unitBefore === other)
          distance = Math.min(distance, (beforeLast[j - 2] as number) + 1);
        row[j] = distance;
        if (distance < min) min = distance;
      }
      // A swap adds one to the row before the last. That row has at least `max`: minimums rise by one a row at most.
      if (min > max) return max + 1;
      [beforeLast, last, row] = [last, row, beforeLast];
    }
    return last[width] as number;
  };
}
