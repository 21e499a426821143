import type { Page } from '../../src/page.ts';
import { readLines } from './cache.ts';
import { type PageTerms, pageOf } from './corpus-files.ts';
import { createRandom } from './queries.ts';

/** How long a real page is: tokens a field, and distinct terms over all of them. */
interface Profile {
  readonly distinct: number;
  readonly title: number;
  readonly headings: number;
  readonly body: number;
}

/**
 * Pages as many as wanted, with the lengths of real pages and words as frequent as in them. What they lack is
 * meaning: words stand together by chance, so queries of several words match less often than in real text. Words of a
 * single real page are new words on every page, so that the vocabulary grows as it does in real text.
 */
export async function synthesise(termsFile: string, realPages: number): Promise<Generator<Page>> {
  const profiles: Profile[] = [];
  const documentFrequencies = new Map<string, number>();
  for await (const terms of readLines<PageTerms>(termsFile, realPages)) {
    const [title = [], headings = [], url = [], body = []] = terms.map((field) => field.split(' '));
    const distinct = new Set([...title, ...headings, ...url, ...body].filter((term) => term !== ''));
    for (const term of distinct) documentFrequencies.set(term, (documentFrequencies.get(term) ?? 0) + 1);
    profiles.push({
      distinct: distinct.size,
      title: title.length,
      headings: headings.length,
      body: body.length,
    });
  }
  const vocabulary = [...documentFrequencies.keys()];
  const draw = createSampler([...documentFrequencies.values()]);
  return pages();

  function* pages(): Generator<Page> {
    const random = createRandom(1_000_000);
    for (let number = 0; ; number++) {
      const profile = profiles[Math.floor(random() * profiles.length)] as Profile;
      const terms = new Set<string>();
      while (terms.size < profile.distinct) {
        const term = vocabulary[draw(random)] as string;
        terms.add(documentFrequencies.get(term) === 1 ? newWord(number, terms.size) : term);
      }
      yield pageFrom([...terms], profile, number, random);
    }
  }
}

/** Every term once, the rest of the length by repeats: the first ones drawn repeat most, since they are the most frequent. */
function pageFrom(terms: readonly string[], profile: Profile, number: number, random: () => number): Page {
  const some = (count: number): string =>
    Array.from({ length: count }, () => terms[Math.floor(terms.length * random() ** 2)]).join(' ');
  return pageOf({
    url: `https://h${number % 9973}.example/p/${number}`,
    title: some(profile.title),
    headings: some(profile.headings),
    body: `${terms.join(' ')} ${some(Math.max(0, profile.body - terms.length))}`,
    lang: 'en',
  });
}

function newWord(page: number, at: number): string {
  const letters = (value: number): string =>
    value.toString(26).replace(/\d/g, (digit) => String.fromCharCode(113 + Number(digit)));
  return `${letters(page)}y${letters(at)}`;
}

/** Draws places by their weights in constant time (Walker's alias method, as Vose wrote it down in 1991). */
function createSampler(weights: readonly number[]): (random: () => number) => number {
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
  const share = Float64Array.from(weights, (weight) => weight / mean);
  const alias = new Uint32Array(weights.length);
  const small: number[] = [];
  const large: number[] = [];
  for (const [at, value] of share.entries()) (value < 1 ? small : large).push(at);
  while (small.length > 0 && large.length > 0) {
    const less = small.pop() as number;
    const more = large.pop() as number;
    alias[less] = more;
    share[more] = (share[more] as number) + (share[less] as number) - 1;
    ((share[more] as number) < 1 ? small : large).push(more);
  }
  for (const at of [...small, ...large]) share[at] = 1;
  return (random) => {
    const at = Math.floor(random() * weights.length);
    return random() < (share[at] as number) ? at : (alias[at] as number);
  };
}
