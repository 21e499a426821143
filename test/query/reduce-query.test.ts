import { describe, expect, it } from 'vitest';
import { maxQueryWords } from '../../src/query/max-query-words.ts';
import { parseQuery } from '../../src/query/parser.ts';
import type { Query } from '../../src/query/query.ts';
import { type Rarities, reduceQuery } from '../../src/query/reduce-query.ts';

/** `r7x` has the rarity 7; other words stand on no page. */
const rarities: Rarities = async (words) =>
  words.map((of) => Number(/^r(\d+)x$/.exec(of[0]?.term ?? '')?.[1] ?? 0));
const kept = (q: string) => reduceQuery(parseQuery(q), rarities);
const textsOf = (query: Query): string[] => {
  if (query.kind === 'words') return [query.text];
  return query.kind === 'all' || query.kind === 'any' ? query.of.flatMap(textsOf) : [];
};
const list = (count: number, word: (n: number) => string) => Array.from({ length: count }, (_, n) => word(n));

describe('of a long query', () => {
  it('the rarest words are kept, in the order of the query', async () => {
    const words = list(200, (n) => `r${((n * 37) % 200) + 1}x`);
    const rarest = words.filter((word) => Number(word.slice(1, -1)) > 200 - maxQueryWords);
    expect(textsOf(await kept(words.join(' ')))).toEqual(rarest);
  });

  it('what is hard is kept before the rarest words, and filters always', async () => {
    const words = list(100, (n) => `r${n + 1}x`).join(' ');
    const texts = textsOf(await kept(`${words} "some phrase" +must site:a.com`));
    expect(texts).toHaveLength(maxQueryWords - 1);
    expect(texts).toEqual(expect.arrayContaining(['some phrase', 'must']));
    expect(JSON.stringify(await kept(`${words} site:a.com`))).toContain('"host":"a.com"');
  });

  it('function words go first, then words that no page has', async () => {
    const rare = list(60, (n) => `r${n + 1}x`);
    const unknown = list(20, (n) => `unknown${n}`);
    const texts = textsOf(await kept(`how do I find the ${unknown.join(' ')} of the ${rare.join(' ')}`));
    expect(texts).toHaveLength(maxQueryWords);
    expect(texts).toEqual(expect.arrayContaining(rare));
    expect(texts).not.toContain('the');
  });

  it('a run of Chinese is its words', async () => {
    const run = list(400, (n) => String.fromCharCode(0x4e00 + 7 * n)).join('');
    const query = await kept(run);
    const words =
      query.kind === 'all' ? query.of.flatMap((part) => (part.kind === 'words' ? part.words : [])) : [];
    expect(words.length).toBeGreaterThan(5);
    expect(words.length).toBeLessThanOrEqual(2 * maxQueryWords);
  });

  it('an exclusion is whole or not at all, and alternatives end where there is no room', async () => {
    const excluded = list(80, (n) => `e${n}`).join(' ');
    expect(JSON.stringify(await kept(`r1x r2x -(${excluded})`))).not.toContain('"not"');
    const any = list(80, (n) => `a${n}`).join(' OR ');
    expect(textsOf(await kept(any))).toHaveLength(maxQueryWords);
  });
});

it('a query of few words is as it was', async () => {
  const query = parseQuery('how do I install "the package" -on site:a.com');
  expect(await reduceQuery(query, rarities)).toBe(query);
});
