import { countTerms } from '../../src/index/page-terms.ts';
import type { Page } from '../../src/page.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { drawQueries } from '../engines/queries.ts';
import { realPages } from '../whole-answers/real-pages.ts';

const pagesPerWrite = 500;

/**
 * Real pages of documentation; where more are wanted, the same ones once more under other hosts. Of texts that are longer
 * than `maxChars`, the beginning.
 */
export async function* manyPages(count: number, maxChars?: number): AsyncGenerator<Page[]> {
  const real = await realPages();
  for (let start = 0; start < count; start += pagesPerWrite)
    yield Array.from({ length: Math.min(pagesPerWrite, count - start) }, (_, at) => {
      const number = start + at;
      const page = real[number % real.length] as Page;
      const round = Math.floor(number / real.length);
      const url = round === 0 ? page.url : page.url.replace('://', `://r${round}.`);
      return { ...page, url, id: pageId(url), body: page.body.slice(0, maxChars) };
    });
}

/** 500 queries, drawn from the titles and headings of the real pages. */
export async function drawnQueries(): Promise<string[]> {
  const pages = await realPages();
  const frequencies = new Map<string, number>();
  for (const page of pages)
    for (const term of countTerms(page).frequencies.keys())
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  return drawQueries(pages, (term) => frequencies.get(term) ?? 0, pages.length).map(({ q }) => q);
}
