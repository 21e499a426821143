import type { CorpusPage } from './corpus-files.ts';
import { type BenchQuery, termQuery } from './term-query.ts';

/** How many queries of each length in words, and of each frequency of their rarest word; both add up to 500. */
const lengths = { 1: 110, 2: 170, 3: 130, 4: 90 };
const frequencies = { rare: 174, medium: 214, common: 112 };
const withOperators = 88;
const chinese = 50;
const mostDraws = 1_000_000;

const han = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Draws 500 queries from titles and headings of pages: runs of one to five words as they stand there, every fifth
 * or so with an operator. The same pages and frequencies give the same queries.
 */
export function drawQueries(
  pages: readonly CorpusPage[],
  documentFrequency: (term: string) => number,
  documents: number,
): BenchQuery[] {
  const random = createRandom(20_261_120);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const left = { ...lengths, ...frequencies, operators: withOperators, chinese };
  const queries = new Map<string, BenchQuery>();
  const take = (...quotas: (keyof typeof left)[]): boolean => {
    if (quotas.some((quota) => left[quota] <= 0)) return false;
    for (const quota of quotas) left[quota]--;
    return true;
  };

  for (let draws = 0; draws < mostDraws && left[1] + left[2] + left[3] + left[4] > 0; draws++) {
    const page = pick(pages);
    const line = pick([page.title, ...page.headings.split('\n')]);
    const words = line
      .split(/[\s、，。（）()「」:：/]+/u)
      .filter((word) => /^[\p{L}\p{N}][^"|]*$/u.test(word));
    const length = pick([1, 1, 2, 2, 2, 3, 3, 3, 4, 5]);
    if (words.length < length) continue;
    const from = Math.floor(random() * (words.length - length + 1));
    const run = words.slice(from, from + length);
    const plain = random() >= withOperators / 500;
    const others = page.body.split(/\s+/).filter((word) => /^\p{Script=Latin}{3,}$/u.test(word));
    const q = plain
      ? run.join(' ')
      : operated(run, pick(others.length === 0 ? ['linux'] : others), left.operators);
    const terms = queries.has(q) ? undefined : termQuery(q);
    if (terms === undefined) continue;
    const rarest = Math.min(...[...terms.all.flat(), ...terms.title].map(documentFrequency)) / documents;
    const frequency = rarest < 0.002 ? 'rare' : rarest < 0.03 ? 'medium' : 'common';
    const words4 = Math.min(4, length) as 1 | 2 | 3 | 4;
    if (
      !take(
        words4,
        frequency,
        ...(plain ? [] : ['operators' as const]),
        ...(han.test(q) ? ['chinese' as const] : []),
      )
    )
      continue;
    queries.set(q, { q, terms, plain });
  }
  return [...queries.values()];
}

/** The four forms in turn: title, exclusion, alternatives, phrase. */
function operated(words: readonly string[], other: string, turn: number): string {
  const [first = '', ...rest] = words;
  switch (turn % 4) {
    case 0:
      return [...rest, `intitle:${first}`].join(' ');
    case 1:
      return `${words.join(' ')} -${other}`;
    case 2:
      return [...rest, `(${first} OR ${other})`].join(' ');
    default:
      return `"${words.join(' ')}"`;
  }
}

/** Mulberry32 (Tommy Ettinger): from 0 up to 1, the same numbers for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
