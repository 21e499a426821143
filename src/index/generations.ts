import type { Page } from '../page.ts';
import type { PerField } from './bm25f.ts';
import { type Corpus, createLiveTier, type LivePage, type LiveSearch } from './live/live-tier.ts';

/** Maximum pages of one generation. */
const maxPages = 500;

/**
 * The live tier as a list of small ones. MiniSearch frees the memory of a removed page only by vacuuming, in steps
 * between which it must not change. So nothing is vacuumed: a generation is dropped as a whole when it has lost its last
 * page. Every page leaves sooner or later, because packing takes the oldest pages first.
 */
export function createGenerations() {
  let generations = [createLiveTier()];

  /** Drops generations without pages, except the last one, which is replaced if it was used. */
  const dropEmpty = (): void => {
    const remaining = generations.filter(
      (generation, index) => generation.size() > 0 || index === generations.length - 1,
    );
    const last = remaining.at(-1);
    generations =
      last?.size() === 0 && last.isUsed() ? [...remaining.slice(0, -1), createLiveTier()] : remaining;
  };

  const remove = (id: string): void => {
    for (const generation of generations) generation.remove(id);
    dropEmpty();
  };

  /** Removes all other pages. A generation without remaining pages is replaced, whatever its size. */
  const keepOnly = (keeps: (id: string) => boolean): void => {
    generations = generations.map((generation) => {
      const ids = generation.ids();
      const removedIds = ids.filter((id) => !keeps(id));
      if (removedIds.length === ids.length) return createLiveTier();
      for (const id of removedIds) generation.remove(id);
      return generation;
    });
    dropEmpty();
  };

  return {
    put: (page: Page): void => {
      remove(page.id);
      if ((generations.at(-1)?.size() ?? 0) >= maxPages) generations.push(createLiveTier());
      generations.at(-1)?.put(page);
    },
    remove,
    keepOnly,
    /** MiniSearch takes its time to find nothing, so a generation without pages is not asked. */
    match: (search: LiveSearch): LivePage[] =>
      generations.flatMap((generation) => (generation.size() > 0 ? generation.match(search) : [])),
    corpus: (): Corpus => sumOf(generations.map((generation) => generation.corpus())),
    /** The terms of each generation; a term may be in several. */
    terms: (): Iterable<string>[] => generations.map((generation) => generation.terms()),
    scoreParts: (id: string, weights: ReadonlyMap<string, number>, averageLengths: PerField) =>
      generations.find((generation) => generation.has(id))?.scoreParts(id, weights, averageLengths) ??
      new Map(),
  };
}

/** The corpus of all generations together; each page is in one. */
function sumOf(corpora: readonly Corpus[]): Corpus {
  const pages = corpora.reduce((sum, corpus) => sum + corpus.pages, 0);
  const mean = (field: number) =>
    corpora.reduce((sum, corpus) => sum + (corpus.averageLengths[field] ?? 0) * corpus.pages, 0) /
    Math.max(1, pages);
  return {
    pages,
    averageLengths: [mean(0), mean(1), mean(2), mean(3)],
    documentFrequency: (term) => corpora.reduce((sum, corpus) => sum + corpus.documentFrequency(term), 0),
  };
}
