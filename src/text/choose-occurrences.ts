import { type FoundTerm, inReadingOrder } from './find-terms.ts';

/** Words of one subject stand within this distance, in UTF-16 units: about two sentences. */
const reach = 200;

export interface ChoiceLimits {
  /** Maximum for each word. All forms that share a `word` count together. */
  readonly perWord: number;
  /** Maximum for all words together. Each word gets an even share. */
  readonly terms: number;
}

/**
 * Chooses occurrences of words in a text, so that no limit is exceeded; `words` has those of each word in the order of the
 * text. Of a word with too many, those near the rarest words come first: the line that defines `SQLITE_USE_URI` stands far
 * behind the fiftieth `sqlite` of a long page. Returns them in reading order.
 */
export function chooseOccurrences(
  words: readonly (readonly FoundTerm[])[],
  { perWord, terms }: ChoiceLimits,
): FoundTerm[] {
  const most = Math.min(perWord, Math.max(1, Math.floor(terms / Math.max(1, words.length))));
  if (words.length <= terms && words.every((found) => found.length <= most))
    return words.length === 1 ? [...(words[0] ?? [])] : readingOrder(words.flat());
  const rarestFirst = words.toSorted(byRarity);
  const anchors = anchorsOf(rarestFirst, most);
  const chosen = rarestFirst.flatMap((found) =>
    found.length <= most ? found : chooseNear(found, anchors, most),
  );
  return readingOrder(chosen.slice(0, terms));
}

/** The occurrences of each word. */
export function groupByWord(found: readonly FoundTerm[]): FoundTerm[][] {
  const words = new Map<string, FoundTerm[]>();
  for (const token of found) {
    const own = words.get(token.word);
    if (own) own.push(token);
    else words.set(token.word, [token]);
  }
  return [...words.values()];
}

function byRarity(one: readonly FoundTerm[], other: readonly FoundTerm[]): number {
  if (one.length !== other.length) return one.length - other.length;
  return (one[0]?.word ?? '') < (other[0]?.word ?? '') ? -1 : 1;
}

/** The offsets of the rarest words: as many words as have at most `most` occurrences together, and at least one. */
function anchorsOf(rarestFirst: readonly (readonly FoundTerm[])[], most: number): number[] {
  const anchors: number[] = [];
  for (const found of rarestFirst) {
    if (anchors.length > 0 && anchors.length + found.length > most) break;
    for (const { start } of found) anchors.push(start);
  }
  return anchors.sort((a, b) => a - b);
}

/** At most `most` occurrences: the first ones near an anchor, then the first others. */
function chooseNear(found: readonly FoundTerm[], anchors: readonly number[], most: number): FoundTerm[] {
  const near: FoundTerm[] = [];
  const others: FoundTerm[] = [];
  let next = 0;
  for (const token of found) {
    while (next < anchors.length && (anchors[next] as number) < token.start - reach) next++;
    const isNear = next < anchors.length && (anchors[next] as number) <= token.start + reach;
    const chosen = isNear ? near : others;
    if (chosen.length < most) chosen.push(token);
  }
  return [...near, ...others.slice(0, most - near.length)];
}

/** Above the number of occurrences of all words of a query on a page, so that a start and an index fit into one key. */
const keyUnit = 2 ** 21;
let sortKeys = new Float64Array(1024);

/** Occurrences in the order of `inReadingOrder`. Keys are sorted much faster than objects. */
function readingOrder(found: readonly FoundTerm[]): FoundTerm[] {
  const { length } = found;
  if (sortKeys.length < length) sortKeys = new Float64Array(2 * length);
  const keys = sortKeys.subarray(0, length);
  for (let index = 0; index < length; index++)
    keys[index] = (found[index] as FoundTerm).start * keyUnit + index;
  keys.sort();
  const ordered: FoundTerm[] = [];
  for (let index = 0; index < length; index++) {
    const key = keys[index] as number;
    const own = found[key - Math.floor(key / keyUnit) * keyUnit] as FoundTerm;
    let to = index;
    for (; to > 0 && inReadingOrder(ordered[to - 1] as FoundTerm, own) > 0; to--)
      ordered[to] = ordered[to - 1] as FoundTerm;
    ordered[to] = own;
  }
  return ordered;
}
