import { onTestFinished } from 'vitest';
import { type CrawlOptions, crawl } from '../../src/crawl/crawl.ts';
import { createHostRests } from '../../src/crawl/fetch/host-rests.ts';
import { createPoliteFetch, type PoliteFetchOptions } from '../../src/crawl/fetch/polite-fetch.ts';
import { createPageParts } from '../../src/crawl/render/page-parts.ts';
import { createReadDrawnPage } from '../../src/crawl/render/read-drawn-page.ts';
import type { Renderer } from '../../src/crawl/render/renderer.ts';
import { createAskByRobots } from '../../src/crawl/site/ask-by-robots.ts';
import { createLlmsTxtCheck } from '../../src/crawl/site/llms-txt.ts';
import { createRobotsCache } from '../../src/crawl/site/robots-cache.ts';
import { createSitemapReader } from '../../src/crawl/site/sitemap.ts';
import { createTextTwins } from '../../src/crawl/site/text-twin.ts';
import { createVisitor } from '../../src/crawl/visit.ts';
import { createPdfReader } from '../../src/extract/documents/index.ts';
import { createFileExtractor } from '../../src/extract/file-extractor.ts';
import { openPageStore } from '../../src/store/lmdb-store.ts';
import { createPageWriter } from '../../src/store/page-writer.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** The crawler's real parts over a real store, with a clock that only sleeping and the test move. */
export function openCrawler(
  options: Partial<PoliteFetchOptions> & {
    folder?: string;
    renderer?: Renderer;
  } = {},
) {
  const { folder = temporaryFolder(), renderer, ...fetchOptions } = options;
  const clock = { ms: Date.parse('2026-03-01T12:00:00Z'), slept: [] as number[] };
  const now = () => clock.ms;
  const sleep = async (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    clock.slept.push(ms);
    clock.ms += Math.ceil(ms);
  };
  const store = openPageStore(folder);
  const politeFetch = createPoliteFetch({
    userAgent: 'Gleaner/0.0.0 (+test)',
    allowPrivate: true,
    delaySeconds: 0,
    now,
    sleep,
    rests: createHostRests(store),
    ...fetchOptions,
  });
  const robotsFor = createRobotsCache({ store, politeFetch, now });
  const pdfReader = createPdfReader();
  const extract = createFileExtractor({
    detectLanguage: (_, declared) => declared ?? 'en',
    now,
    readPdf: pdfReader.read,
  });
  const checkLlmsTxt = createLlmsTxtCheck({ store, politeFetch, robotsFor, now });
  const ask = createAskByRobots(politeFetch, robotsFor);
  const findTextTwin = createTextTwins({ ask, extract, llmsLinks: checkLlmsTxt });
  const partsOf = createPageParts({ politeFetch, robotsFor, now });
  const readDrawnPage = createReadDrawnPage({ findTextTwin, renderer, partsOf, extract });
  const visitor = createVisitor({ store, politeFetch, robotsFor, extract, readDrawnPage, now });
  const pageWriter = createPageWriter({ store });
  const close = async () => {
    await renderer?.close();
    await politeFetch.close();
    await pdfReader.close();
    await store.close();
  };
  onTestFinished(close);
  return {
    clock,
    now,
    folder,
    store,
    pageWriter,
    visitor,
    robotsFor,
    politeFetch,
    checkLlmsTxt,
    sitemapUrls: createSitemapReader({ politeFetch, robotsFor }),
    crawl: (seeds: readonly string[], more: Partial<CrawlOptions> = {}) =>
      crawl({ seeds, store, pageWriter, visitor, sleep, now, ...more }),
    /** Visits once and keeps what was found, as a crawl would. */
    async visitAndKeep(url: string) {
      const followed = await visitor.visit(url);
      const { visit } = followed;
      if (visit.kind === 'page') await pageWriter.put(visit.page);
      if (visit.kind === 'unchanged') await pageWriter.touch(visit.id, visit.record.crawledAt);
      if (visit.kind === 'page' || visit.kind === 'unchanged') {
        const id = visit.kind === 'page' ? visit.page.id : visit.id;
        await store.write((writer) => visitor.remember(writer, id, visit.record));
      }
      return followed;
    },
    storedUrls: () => [...store.heads()].map(({ url }) => url).sort(),
    close,
  };
}
