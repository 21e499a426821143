import { normalizeForm } from './fold.ts';

/** A text in the form in which it is cut into words, with the way back to the text that was given. */
export interface NormalForm {
  readonly text: string;
  /** Where in the given text that begins which begins at `place` of the normal form. */
  startOf(place: number): number;
  /** Where in the given text that ends which ends at `place` of the normal form. */
  endOf(place: number): number;
}

/** One character with all that NFKC may join to it: marks, half-width voicing signs, conjoining jamo. */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: they are meant one by one
const cluster = /[^\p{M}]?[\p{M}\uff9e\uff9f\u1160-\u11ff\uffa0-\uffdc\u200d\ufe0f]*/gsu;
const unchanged = (place: number) => place;

/** The normal form of a text, cluster by cluster, with the offsets of each. Linear in the length. */
export function alignNormalForm(text: string): NormalForm {
  if (normalizeForm(text) === text) return { text, startOf: unchanged, endOf: unchanged };
  let normal = '';
  const starts: number[] = [];
  const ends: number[] = [0];
  for (const { 0: written, index } of text.matchAll(cluster)) {
    const form = normalizeForm(written);
    const same = form === written;
    for (let place = 0; place < form.length; place++) {
      starts.push(same ? index + place : index);
      ends.push(same ? index + place + 1 : index + written.length);
    }
    normal += form;
  }
  return {
    text: normal,
    startOf: (place) => starts[place] ?? text.length,
    endOf: (place) => ends[place] ?? text.length,
  };
}
