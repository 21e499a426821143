import { ServiceError } from '../contract/errors.ts';
import { noStats } from '../index/page-index.ts';
import type { PageSource } from '../store/loadable-pages.ts';
import type { ClusterBackEndParts } from './cluster-back-end.ts';
import type { IndexBackEnd } from './index-back-end.ts';

/** As `openClusterBackEnd`, whose code is loaded with this back end alone. */
export function openLazyClusterBackEnd(parts: ClusterBackEndParts): IndexBackEnd {
  let opened: IndexBackEnd | undefined;
  const opening = import('./cluster-back-end.ts').then(({ openClusterBackEnd }) => {
    opened = openClusterBackEnd(parts);
    return opened;
  });
  const pagesNow = (): PageSource => {
    if (!opened?.pages)
      throw new ServiceError('unavailable', 'the service is starting', { retryAfterSeconds: 1 });
    return opened.pages;
  };
  const pages: PageSource = {
    open: () => pagesNow().open(),
    pageCount: () => opened?.pages?.pageCount() ?? 0,
    privatePageCount: () => opened?.pages?.privatePageCount() ?? 0,
    structureOf: (page) => pagesNow().structureOf(page),
    hasLlmsTxt: (url) => pagesNow().hasLlmsTxt(url),
  };
  const index = opening.then((backEnd) => backEnd.index);
  return {
    index: {
      search: async (search) => (await index).search(search),
      partialMatches: async (search) => (await index).partialMatches(search),
      rarities: async (words) => (await index).rarities(words),
      similarWords: async (search) => (await index).similarWords(search),
      apply: async (changes) => (await index).apply(changes),
      refresh: async () => (await index).refresh(),
      close: async () => (await index).close(),
      stats: () => opened?.index.stats() ?? noStats,
      answersKey: () => opened?.index.answersKey() ?? '',
    },
    follower: {
      catchUp: async () => (await opening).follower.catchUp(),
      stop: async () => (await opening).follower.stop(),
    },
    givePages: (urls) => opened?.givePages?.(urls),
    pages: parts.cluster.part && pages,
    prepare: async () => (await opening).prepare(),
    clusterState: () => opened?.clusterState(),
    close: async () => (await opening).close(),
  };
}
