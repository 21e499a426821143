import { type BareWord, bareWords, conjuncts, isBare } from './bare-words.ts';
import { maxQueryWords } from './max-query-words.ts';
import { normalizeText } from './normalize.ts';
import type { Query, Word, WordsQuery } from './query.ts';

/** From this many on the tokens are ranked, because no other service takes all of them. */
const longQuery = 24;

/** How much it tells that a page holds each of these: 0 where none does. */
export type Rarities = (words: readonly (readonly Word[])[]) => readonly number[];

/**
 * The query with the `maxQueryWords` words that tell most. What is not bare (quotes, `+`, operators, OR, exclusions)
 * comes first, in its order; then the rarest of the bare words that any page holds, those that none holds, and the
 * function words of a question. A query of fewer words is given back as it is.
 */
export function reduceQuery(query: Query, rarities: Rarities): Query {
  const parts = conjuncts(query);
  const tokens = parts.filter(isBare);
  const size = parts.reduce((sum, part) => sum + sizeOf(part), 0);
  if (size < longQuery) return query;
  const words = bareWords(tokens);
  const rarity = rarities(words.map(({ of }) => of));
  const ranked = words
    .map((word, place) => ({ word, rarity: rarity[place] ?? 0 }))
    .sort((a, b) => b.rarity - a.rarity)
    .map(({ word }) => word);
  let left = maxQueryWords;
  const hard = new Map(parts.filter((part) => !isBare(part)).map((part) => [part, cutHard(part)]));
  const kept = new Map(ranked.slice(0, left).map((word, place) => [keyOf(word.of), place + 1]));
  left -= kept.size;
  const of = parts.flatMap((part) => {
    if (!isBare(part)) return hard.get(part) ?? [];
    const required = bareWords([part]);
    if (required.length === 0) return left-- > 0 ? [part] : [];
    return cutToken(part, required, kept) ?? [];
  });
  return { kind: 'all', of };

  /** A hard part with as many of its words as there is room for. */
  function cutHard(part: Query): Query | undefined {
    if (part.kind === 'all' || part.kind === 'any') {
      const of = part.of.flatMap((each) => cutHard(each) ?? []);
      return of.length > 0 || part.of.length === 0 ? { kind: part.kind, of } : undefined;
    }
    if (part.kind === 'not') {
      // An exclusion of fewer words would take away more pages than it names.
      const room = left;
      const of = cutHard(part.of);
      if (of && room >= sizeOf(part.of)) return part;
      left = room;
      return undefined;
    }
    const size = sizeOf(part);
    if (size > left) return undefined;
    left -= size;
    return part;
  }
}

/** Words between spaces, or terms where a run of Chinese has more. */
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

/** A token with those of its words that are kept; undefined when none is. */
function cutToken(
  token: WordsQuery,
  words: readonly BareWord[],
  kept: ReadonlyMap<string, number>,
): WordsQuery | undefined {
  const left = words.filter(({ of }) => kept.has(keyOf(of)));
  if (left.length === 0) return undefined;
  const rarityRank = Math.min(...left.map(({ of }) => kept.get(keyOf(of)) as number));
  if (left.length === words.length) return { ...token, rarityRank };
  const typed = left.map((word) => word.typed).join(' ');
  const required = new Map(left.flatMap(({ of }) => of).map((word) => [word.term, word]));
  return { ...token, typed, text: normalizeText(typed), words: [...required.values()], rarityRank };
}
