/** A name that is further away than this share of its length is another word, not a misspelling. */
const maxShare = 0.34;

/** The name that `typed` was probably meant to be; undefined when none is near. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Math.floor(typed.length * maxShare) + 1;
  for (const name of names) {
    const distance = editDistance(typed, name);
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      let distance = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        distance = Math.min(distance, at(before, j - 2) + 1);
      row.push(distance);
    }
    [before, last] = [last, row];
  }
  return at(last, other.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] as number;
}
