import type { Page } from '../src/page.ts';
import { openPageStore } from '../src/store/lmdb-store.ts';
import { pageId } from '../src/store/page/page-id.ts';

const syllables = 'an be co da el fi go ha in ju ka le mo na or pi qua re su ta un ve wi xo ya ze'.split(' ');
const vocabulary = 60_000;

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A made-up word; low ranks are drawn often, as by Zipf's law with exponent 1. */
export function drawWord(random: () => number): string {
  return wordOf(Math.floor(vocabulary ** random()) - 1);
}

function wordOf(rank: number): string {
  let word = '';
  for (let rest = rank + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word;
}

/** A page with a title, headings and paragraphs of sentences: 300 words on average, few of them many, many of them few. */
export function drawPage(random: () => number, n: number): Page {
  const words = (count: number): string => Array.from({ length: count }, () => drawWord(random)).join(' ');
  const sentence = (): string => `${words(6 + Math.floor(random() * 18))}.`;
  const paragraph = (): string => Array.from({ length: 2 + Math.floor(random() * 4) }, sentence).join(' ');
  const body = Array.from({ length: 1 + Math.floor(random() * 10) }, paragraph).join('\n');
  const url = `https://site${n % 200}.example/${drawWord(random)}/${n}`;
  return {
    id: pageId(url),
    url,
    title: words(3 + Math.floor(random() * 5)),
    description: sentence(),
    siteName: null,
    author: null,
    publishedAt: null,
    crawledAt: Date.UTC(2026, 0, 1) + n * 1000,
    lang: 'en',
    fileType: 'html',
    wordCount: body.split(/\s/).length,
    headings: Array.from({ length: Math.floor(random() * 5) }, () => words(3)).join('\n'),
    body,
  };
}

/** Fills a new data folder with pages that are the same in every run; nothing is packed. */
export async function fillStore(dataFolder: string, pages: number): Promise<void> {
  const store = openPageStore(dataFolder);
  const random = seededRandom(1);
  for (let n = 0; n < pages; n += 500) {
    const batch = Array.from({ length: Math.min(500, pages - n) }, (_, at) => drawPage(random, n + at));
    await store.write((writer) => batch.forEach(writer.putPage));
  }
  await store.close();
}
