import { type BareWord, bareWords, conjuncts, isBare } from './bare-words.ts';
import { maxQueryWords } from './max-query-words.ts';
import { normalizeText } from './normalize.ts';
import type { Query, Word, WordsQuery } from './query.ts';

/** Queries of this length or more get ranked tokens, because no external provider accepts all of them. */
const longQuery = 24;

/** The rarity of each word (its terms together) in the index; 0 when no page has it. */
export type Rarities = (words: readonly (readonly Word[])[]) => Promise<readonly number[]>;

/**
 * Reduces a query to its `maxQueryWords` most informative words. Parts that are not bare (quotes, `+`, operators, OR,
 * exclusions) have priority, in their order; then bare words of the index, the rarest first, bare words that no page has,
 * and optional function words. A shorter query is returned unchanged.
 */
export async function reduceQuery(query: Query, rarities: Rarities): Promise<Query> {
  const parts = conjuncts(query);
  const tokens = parts.filter(isBare);
  const size = parts.reduce((sum, part) => sum + sizeOf(part), 0);
  if (size < longQuery) return query;
  const words = bareWords(tokens);
  const rarity = await rarities(words.map((word) => word.of));
  const ranked = words
    .map((word, index) => ({ word, rarity: rarity[index] ?? 0 }))
    .sort((a, b) => b.rarity - a.rarity)
    .map(({ word }) => word);
  let remaining = maxQueryWords;
  const hard = new Map(parts.filter((part) => !isBare(part)).map((part) => [part, cutHard(part)]));
  const ranks = new Map(ranked.slice(0, remaining).map((word, index) => [keyOf(word.of), index + 1]));
  remaining -= ranks.size;
  const of = parts.flatMap((part) => {
    if (!isBare(part)) return hard.get(part) ?? [];
    const required = bareWords([part]);
    if (required.length === 0) return remaining-- > 0 ? [part] : [];
    return cutToken(part, required, ranks) ?? [];
  });
  return { kind: 'all', of };

  /** A hard part with as many words as there is room for. */
  function cutHard(part: Query): Query | undefined {
    if (part.kind === 'all' || part.kind === 'any') {
      const shorter = part.of.flatMap((each) => cutHard(each) ?? []);
      return shorter.length > 0 || part.of.length === 0 ? { kind: part.kind, of: shorter } : undefined;
    }
    if (part.kind === 'not') {
      // An exclusion with fewer words would exclude more pages than requested.
      const room = remaining;
      const shorter = cutHard(part.of);
      if (shorter && room >= sizeOf(part.of)) return part;
      remaining = room;
      return undefined;
    }
    const partSize = sizeOf(part);
    if (partSize > remaining) return undefined;
    remaining -= partSize;
    return part;
  }
}

/** The number of words between spaces, or of words in a run of Chinese if that is larger. */
function sizeOf(part: Query): number {
  switch (part.kind) {
    case 'all':
    case 'any':
      return part.of.reduce((sum, each) => sum + sizeOf(each), 0);
    case 'not':
      return sizeOf(part.of);
    case 'words':
      return Math.max(part.text.split(' ').length, part.quoted ? 0 : bareWords([part]).length);
    case 'title':
      return part.text.split(' ').length;
    default:
      return 0;
  }
}

function keyOf(of: readonly Word[]): string {
  return of.map(({ term }) => term).join(' ');
}

/** A token reduced to its ranked words; undefined when it has none. */
function cutToken(
  token: WordsQuery,
  words: readonly BareWord[],
  ranks: ReadonlyMap<string, number>,
): WordsQuery | undefined {
  const ranked = words.filter(({ of }) => ranks.has(keyOf(of)));
  if (ranked.length === 0) return undefined;
  const rarityRank = Math.min(...ranked.map(({ of }) => ranks.get(keyOf(of)) as number));
  if (ranked.length === words.length) return { ...token, rarityRank };
  const typed = ranked.map((word) => word.typed).join(' ');
  const required = new Map(ranked.flatMap(({ of }) => of).map((word) => [word.term, word]));
  return { ...token, typed, text: normalizeText(typed), words: [...required.values()], rarityRank };
}
