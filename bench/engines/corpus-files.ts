import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '../../src/page.ts';
import { pageId } from '../../src/store/page/page-id.ts';
import { cached, readLines } from './cache.ts';
import { type BenchQuery, termQuery } from './term-query.ts';

/** A page of the corpus as it is kept. */
export type CorpusPage = Pick<Page, 'url' | 'title' | 'headings' | 'body' | 'lang'>;

/** The terms of a page as our analysis cuts them, with repeats, joined by spaces: title, headings, URL words, body. */
export type PageTerms = readonly [title: string, headings: string, url: string, body: string];

export const corpusSize = 100_000;
export const corpusFile = (): string => cached('corpus', 'pages.jsonl.gz');
export const queriesFile = (): string => cached('corpus', 'queries.jsonl');

/** The first `count` pages of the corpus as the index takes them. */
export async function* readPages(count: number): AsyncGenerator<Page> {
  for await (const page of readLines<CorpusPage>(corpusFile(), count)) yield pageOf(page);
}

/** The queries of the corpus, with the terms that today's analysis makes of them. */
export function readQueries(): BenchQuery[] {
  const lines = readFileSync(queriesFile(), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.flatMap((line) => {
    const { q, plain } = JSON.parse(line) as { q: string; plain: boolean };
    const terms = termQuery(q);
    return terms === undefined ? [] : [{ q, plain, terms }];
  });
}

export function pageOf({ url, title, headings, body, lang }: CorpusPage): Page {
  return {
    id: pageId(url),
    url,
    title,
    headings,
    body,
    lang,
    description: '',
    siteName: null,
    author: null,
    publishedAt: null,
    crawledAt: crawledAt(url),
    fileType: 'html',
    wordCount: 0,
  };
}

/** Some moment of the year 2026, the same for the same URL. */
function crawledAt(url: string): number {
  const fraction = createHash('sha1').update(url).digest().readUInt32LE() / 2 ** 32;
  return Math.floor(Date.UTC(2026, 0, 1) + fraction * 365 * 86_400_000);
}
