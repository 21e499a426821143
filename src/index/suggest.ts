import { setImmediate as nextTurn } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import type { PageStore } from '../store/page-store.ts';
import { indexTerms } from '../text/terms.ts';

/** Finds how a word may have been meant. */
export interface Suggester {
  /** The most likely word of a page's title that is spelt like `word` or begins with it; undefined when there is none. */
  suggest(word: string): Promise<string | undefined>;
}

/** So many titles are read between two turns of the event loop. */
const slice = 500;
/** With so many changes in the store the dictionary is made anew. */
const staleAfter = 5000;
/** Words of letters alone, long enough that one wrong letter leaves them recognisable. */
const suggestible = /^\p{L}{4,40}$/u;
const cjk = /[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af]/u;

interface Entry {
  readonly id: number;
  readonly term: string;
  readonly pages: number;
}

/**
 * Suggests words from the titles of all pages by MiniSearch's fuzzy and prefix search. The dictionary is made when it
 * is first asked, in slices, and kept until the store has changed a good deal.
 */
export function createSuggester(store: PageStore): Suggester {
  let dictionary: Promise<MiniSearch<Entry>> | undefined;
  let madeAt = 0;

  const upToDate = (): Promise<MiniSearch<Entry>> => {
    if (dictionary && store.lastSeq() - madeAt < staleAfter) return dictionary;
    madeAt = store.lastSeq();
    dictionary = makeDictionary(store);
    return dictionary;
  };

  return {
    suggest: async (word) => {
      if (!isSuggestible(word)) return undefined;
      const [best] = (await upToDate()).search(word, { fuzzy: 0.25, prefix: true, maxFuzzy: 2 });
      return best && best.term !== word ? (best.term as string) : undefined;
    },
  };
}

async function makeDictionary(store: PageStore): Promise<MiniSearch<Entry>> {
  const pages = new Map<string, number>();
  let read = 0;
  for (const { title } of store.heads()) {
    for (const term of new Set(indexTerms(title))) {
      if (isSuggestible(term)) pages.set(term, (pages.get(term) ?? 0) + 1);
    }
    if (++read % slice === 0) await nextTurn();
  }
  const dictionary = new MiniSearch<Entry>({
    fields: ['term'],
    storeFields: ['term', 'pages'],
    tokenize: (text) => [text],
    processTerm: (term) => term,
    searchOptions: { boostDocument: (_, __, stored) => 1 + Math.log(Number(stored?.pages ?? 1)) / 4 },
  });
  const entries = Array.from(pages, ([term, count], id): Entry => ({ id, term, pages: count }));
  await dictionary.addAllAsync(entries, { chunkSize: slice });
  return dictionary;
}

function isSuggestible(term: string): boolean {
  return suggestible.test(term) && !cjk.test(term);
}
