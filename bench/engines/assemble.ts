import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readLines, writeLines } from './cache.ts';
import { type CorpusPage, corpusFile, corpusSize, pageOf, queriesFile } from './corpus-files.ts';
import { termsOf } from './page-terms-file.ts';
import { drawQueries } from './queries.ts';

/** Queries come from the titles of these, so that the smallest run has answers to all of them. */
const queriedPages = 10_000;
const chineseShare = 0.1;

/**
 * Mixes pages of all packages into one corpus, each body once, in the order of a hash of the URL, so that its first
 * pages are a fair sample of all; then the queries.
 */
export async function assembleCorpus(packages: readonly string[]): Promise<void> {
  const chosen = choose(await distinctPages(packages));
  if (chosen.length < corpusSize) throw new Error(`only ${chosen.length} distinct pages`);
  const documentFrequencies = countPages(chosen);
  const queries = drawQueries(
    chosen.slice(0, queriedPages),
    (term) => documentFrequencies.get(term) ?? 0,
    chosen.length,
  );
  writeFileSync(
    queriesFile(),
    `${queries.map((query) => JSON.stringify({ q: query.q, plain: query.plain })).join('\n')}\n`,
  );
  describe(chosen, documentFrequencies);
  await writeLines(corpusFile(), chosen);
}

async function distinctPages(packages: readonly string[]): Promise<CorpusPage[]> {
  const pages = new Map<string, CorpusPage>();
  const bodies = new Set<string>();
  for (const file of packages) {
    for await (const page of readLines<CorpusPage>(file)) {
      const body = sha1(page.body);
      if (bodies.has(body)) continue;
      bodies.add(body);
      pages.set(sha1(page.url), page);
    }
  }
  return [...pages].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, page]) => page);
}

function choose(pages: readonly CorpusPage[]): CorpusPage[] {
  const isChinese = ({ lang }: CorpusPage): boolean => lang === 'zh' || lang === 'ja';
  const chinese = new Set(pages.filter(isChinese).slice(0, corpusSize * chineseShare));
  const others = new Set(pages.filter((page) => !isChinese(page)).slice(0, corpusSize - chinese.size));
  return pages.filter((page) => chinese.has(page) || others.has(page));
}

/** In how many pages each term stands. */
function countPages(pages: readonly CorpusPage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const term of new Set(termsOf(pageOf(page)).join(' ').split(' ')))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

function describe(pages: readonly CorpusPage[], documentFrequencies: ReadonlyMap<string, number>): void {
  const bytes = pages.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  const chinese = pages.filter(({ lang }) => lang === 'zh' || lang === 'ja').length;
  const postings = [...documentFrequencies.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${pages.length} pages, ${(bytes / 1e6).toFixed(0)} MB of text, ${chinese} Chinese or Japanese, ` +
      `${new Set(pages.map(({ url }) => new URL(url).host)).size} hosts, ${documentFrequencies.size} terms, ${postings} postings`,
  );
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
