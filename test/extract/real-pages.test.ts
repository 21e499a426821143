import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { dataSets } from '../data-sets.ts';
import { pageBytes } from '../page-bytes.ts';
import { extract, readPage } from './extractor.ts';

const pythonDocs = new URL('file:///usr/share/doc/python3.11/html/');

interface Truth {
  readonly url: string;
  readonly html: string;
  readonly text?: string;
  readonly title?: string | null;
  readonly date?: string | null;
  readonly page_type?: string;
  readonly with?: readonly string[];
  readonly without?: readonly string[];
}

function truths(set: URL): Truth[] {
  const lines = readFileSync(new URL('truth.jsonl', set), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line.replace(/: NaN/g, ': null')) as Truth);
}

function read(set: URL, truth: Truth) {
  const bytes = pageBytes(new URL(truth.html, set));
  const extraction = extract({ url: truth.url || 'https://x.example/', bytes, contentType: 'text/html' });
  return extraction.kind === 'page' ? extraction.page : undefined;
}

const words = (text: string) =>
  text
    .toLowerCase()
    .match(
      /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\P{L}\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|\p{N}+/gu,
    ) ?? [];

function wordF1(truth: string, found: string): number {
  const counts = new Map<string, number>();
  const expected = words(truth);
  const actual = words(found);
  for (const word of expected) counts.set(word, (counts.get(word) ?? 0) + 1);
  let hits = 0;
  for (const word of actual) {
    const left = counts.get(word) ?? 0;
    if (left > 0) hits++;
    counts.set(word, left - 1);
  }
  return expected.length + actual.length === 0 ? 1 : (2 * hits) / (expected.length + actual.length);
}

const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
const pages = dataSets('extraction').map(({ name, folder, isOutside }) => ({
  name,
  isOutside,
  texts: new URL(isOutside ? 'wcxb-sample/' : 'pages/', folder),
  strings: new URL(isOutside ? 'trafilatura/' : 'pages/', folder),
}));

/** What the mean word F1 of each kind of page was at least when it was measured. */
const minF1 = {
  samples: { all: 0.97, article: 0.98, documentation: 0.97, forum: 0.9 },
  outside: { all: 0.79, article: 0.955, documentation: 0.935, forum: 0.66 },
};

test.each(pages)(
  'main text agrees with what people marked: $name',
  { timeout: 120_000 },
  ({ name, texts }) => {
    const scores: Record<string, number[]> = {};
    for (const truth of truths(texts)) {
      const score = wordF1(truth.text ?? '', read(texts, truth)?.body ?? '');
      for (const kind of ['all', truth.page_type ?? 'other']) scores[kind] = [...(scores[kind] ?? []), score];
    }
    for (const [kind, least] of Object.entries(minF1[name]))
      expect(mean(scores[kind] ?? []), kind).toBeGreaterThan(least);
  },
);

test.each(pages)(
  'main text holds what must be in it and not what must not: $name',
  { timeout: 120_000 },
  ({ strings }) => {
    let [right, missing, wrong] = [0, 0, 0];
    const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();
    let [titles, sameTitles, dates, sameDays] = [0, 0, 0, 0];
    for (const truth of truths(strings)) {
      const page = read(strings, truth);
      const body = squeeze(page?.body ?? '');
      for (const text of truth.with ?? []) body.includes(squeeze(text)) ? right++ : missing++;
      for (const text of truth.without ?? []) if (body.includes(squeeze(text))) wrong++;
      if (truth.title) {
        titles++;
        if (words(truth.title).join(' ') === words(page?.title ?? '').join(' ')) sameTitles++;
      }
      if (truth.date) {
        dates++;
        const day = 24 * 3600 * 1000;
        if (Math.abs((page?.publishedAt ?? 0) - Date.parse(truth.date) - day / 2) <= day) sameDays++;
      }
    }
    expect((2 * right) / (2 * right + missing + wrong)).toBeGreaterThan(0.89);
    expect(sameTitles / titles).toBeGreaterThan(0.78);
    expect(sameDays / dates).toBeGreaterThan(0.78);
  },
);

test('Python documentation keeps its code, footnotes and titles', ({ skip }) => {
  if (!existsSync(pythonDocs)) skip('the Debian package python3-doc is not installed');
  const bytes = readFileSync(new URL('library/json.html', pythonDocs));
  const page = readPage(bytes, { url: 'https://docs.python.org/3/library/json.html' });
  expect(page.title).toBe('json — JSON encoder and decoder');
  expect(page.siteName).toBe('Python 3.11.2 documentation');
  expect(page.headings.split('\n')).toContain('Standard Compliance and Interoperability');
  expect(page.body).toContain(`>>> json.dumps(['foo', {'bar': ('baz', None, 1.0, 2)}])`);
  expect(page.body).toContain('As noted in the errata for RFC 7159');
  expect(page.body).not.toMatch(/¶|Previous topic|Report a Bug/);
});
