import type { Page } from '../page.ts';
import type { PerField } from './bm25f.ts';
import { type Corpus, createLiveTier, type LivePage, type LiveSearch } from './live/live-tier.ts';

/** A generation takes no more pages than this. */
const maxPages = 500;

/**
 * The live tier as a row of small ones. MiniSearch frees what a removed page took only by vacuuming, in pieces
 * between which it must not change; so nothing is vacuumed, and a generation that has lost its last page is let go
 * whole. That is the way of every page: packing takes the oldest first.
 */
export function createGenerations() {
  let generations = [createLiveTier()];

  /** Lets go what holds no page any more; there is always a last generation, and one that takes pages. */
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

  /** Keeps these pages alone. A generation of which none is left costs nothing, whatever it held. */
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
    match: (search: LiveSearch): LivePage[] => generations.flatMap((generation) => generation.match(search)),
    corpus: (): Corpus => sumOf(generations.map((generation) => generation.corpus())),
    /** The terms of each generation; a term may stand in several. */
    terms: (): Iterable<string>[] => generations.map((generation) => generation.terms()),
    scoreParts: (id: string, weights: ReadonlyMap<string, number>, averageLengths: PerField) =>
      generations.find((generation) => generation.has(id))?.scoreParts(id, weights, averageLengths) ??
      new Map(),
  };
}

/** The numbers of all generations together; each page is in one. */
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
