import { createDistance, maxComparedLength } from './text/edit-distance.ts';

/** A name that is further away than this share of its length is another word, not a misspelling. */
const maxShare = 0.34;

/** The name that `typed` was probably meant to be; undefined when none is near. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > maxComparedLength) return undefined;
  const distanceTo = createDistance(typed);
  let nearest: string | undefined;
  let max = Math.floor(typed.length * maxShare);
  for (const name of names) {
    if (max < 0 || name.length > maxComparedLength) continue;
    const distance = distanceTo(unitsOf(name), 0, name.length, max);
    if (distance <= max) [nearest, max] = [name, distance - 1];
  }
  return nearest;
}

function unitsOf(name: string): Uint16Array {
  return Uint16Array.from(name, (_, index) => name.charCodeAt(index));
}
