import { shinglesOf } from './simhash.ts';

/** Minimum share that two pages must have in common outside of their template. */
const minOverlap = 0.9;

/**
 * Whether two texts are the same except for details such as a date. `siblings` are texts of other pages of the site: what
 * they share with the two texts is the template, and is ignored. So two pages of reference documentation with the same
 * template and a few words each are not copies.
 */
export function isNearCopy(one: string, other: string, siblings: readonly string[]): boolean {
  const template = siblings.map((text) => shinglesOf(text).shingles);
  const isOwn = (shingle: number): boolean => !template.some((shingles) => shingles.has(shingle));
  const texts = [one, other].map((text) => [...shinglesOf(text).shingles]) as [number[], number[]];
  const own = texts.map((shingles) => new Set(shingles.filter(isOwn))) as [Set<number>, Set<number>];
  // If all is template, different pages have different parts of it.
  const [a, b] = own[0].size + own[1].size > 0 ? own : [new Set(texts[0]), new Set(texts[1])];
  const shared = [...a].filter((shingle) => b.has(shingle)).length;
  const overlap = shared / Math.max(a.size, b.size);
  return a === own[0] ? overlap >= minOverlap : overlap === 1;
}
