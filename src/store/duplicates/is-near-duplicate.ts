import { shinglesOf } from './simhash.ts';

/** Of what two pages say beyond their template, this share has to be the same. */
const minOverlap = 0.9;

/**
 * Whether two texts say the same but for trifles such as a date. `siblings` are texts of other pages of the site: what
 * stands there too is the template, which says nothing about either. So two pages of reference documentation that
 * consist of template and some words each are no copies, however few those words are.
 */
export function isNearCopy(one: string, other: string, siblings: readonly string[]): boolean {
  const template = siblings.map((text) => shinglesOf(text).shingles);
  const isOwn = (shingle: number): boolean => !template.some((shingles) => shingles.has(shingle));
  const texts = [one, other].map((text) => [...shinglesOf(text).shingles]) as [number[], number[]];
  const own = texts.map((shingles) => new Set(shingles.filter(isOwn))) as [Set<number>, Set<number>];
  // All is template: pages that differ then differ in which parts of it they have.
  const [a, b] = own[0].size + own[1].size > 0 ? own : [new Set(texts[0]), new Set(texts[1])];
  const shared = [...a].filter((shingle) => b.has(shingle)).length;
  const overlap = shared / Math.max(a.size, b.size);
  return a === own[0] ? overlap >= minOverlap : overlap === 1;
}
