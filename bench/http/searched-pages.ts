import { main as makeCorpus } from '../corpus.ts';
import { drawClasses } from '../whole-answers/queries.ts';
import { samplePages } from '../whole-answers/real-pages.ts';
import { corpusDataFolder } from './data-folder.ts';
import { readQueries } from './queries.ts';

/** A packed data folder, how many pages it has, and what is asked of it. */
export interface SearchedPages {
  readonly dataFolder: string;
  readonly pages: number;
  readonly queries: readonly string[];
}

/** Kinds of queries that are drawn from a data folder: words without operators, ten results. */
const plainKinds = /^(?!OR).*words?(?!.*limit)/;
const queriesOfKind = 100;

/** The first pages of the corpus with its queries, or another data folder with queries that are drawn from its pages. */
export async function searchedPages(options: {
  readonly pages: string;
  readonly data?: string | undefined;
}): Promise<SearchedPages> {
  if (options.data !== undefined) return pagesOfFolder(options.data);
  await makeCorpus();
  const pages = Number(options.pages);
  return { dataFolder: await corpusDataFolder(pages), pages, queries: readQueries() };
}

/** A data folder with queries that are drawn from its pages. */
export async function pagesOfFolder(dataFolder: string): Promise<SearchedPages> {
  const { pages, total } = await samplePages(dataFolder);
  const kinds = drawClasses(pages, queriesOfKind).filter(({ name }) => plainKinds.test(name));
  const queries = kinds.flatMap(({ searches }) => searches.map(({ q }) => q));
  return { dataFolder, pages: total, queries };
}
