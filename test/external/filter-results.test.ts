import { expect, test } from 'vitest';
import { filterResults } from '../../src/external/filter-results.ts';
import type { ProviderResult } from '../../src/external/search-provider.ts';
import { parseQuery } from '../../src/query/parser.ts';
import { now } from './provider-rig.ts';

const day = 86_400_000;
const base: ProviderResult = {
  url: 'https://docs.rs/tokio/guide',
  title: 'A guide to Tokio',
  snippet: 'How to spawn tasks on the runtime …',
  publishedAt: null,
  lang: null,
};

function isKept(q: string, parts: Partial<ProviderResult> = {}, knowsFileType = false): boolean {
  const options = { now, knowsFileType, knowsTime: false };
  return filterResults([{ ...base, ...parts }], { query: parseQuery(q) }, options).length === 1;
}

test.each([
  ['site:docs.rs x', true],
  ['site:rs x', true],
  ['site:docs.rs/tokio x', true],
  ['site:docs.rs/tok x', false],
  ['site:ocs.rs x', false],
  ['site:example.com x', false],
  ['-site:docs.rs x', false],
  ['-site:example.com x', true],
  ['(site:a.com OR site:docs.rs) x', true],
  ['(site:a.com OR site:b.com) x', false],
])('a site is always enforced: %s', (q, kept) => {
  expect(isKept(q)).toBe(kept);
});

test('an excluded word takes away what shows it, in title, snippet or address, and nothing else', () => {
  expect(isKept('tokio -guide')).toBe(false);
  expect(isKept('tokio -spawn')).toBe(false);
  expect(isKept('tokio -docs')).toBe(false);
  expect(isKept('tokio -python')).toBe(true);
  expect(isKept('tokio -"spawn tasks"')).toBe(false);
  expect(isKept('tokio -"spawn threads"')).toBe(true);
  expect(isKept('tokio -(python OR guide)')).toBe(false);
});

test('a word that a snippet does not show proves nothing', () => {
  expect(isKept('tokio scheduler internals')).toBe(true);
  expect(isKept('"work stealing" tokio')).toBe(true);
  expect(isKept('python OR java')).toBe(true);
});

test('intitle: is enforced, other forms of a word do not count, and a title that was cut may go on', () => {
  expect(isKept('intitle:tokio')).toBe(true);
  expect(isKept('intitle:runtime')).toBe(false);
  expect(isKept('intitle:guides')).toBe(false);
  expect(isKept('-intitle:tokio guide')).toBe(false);
  expect(isKept('intitle:runtime', { title: 'A guide to Tokio and its …' })).toBe(true);
  expect(isKept('intitle:runtime', { title: 'A guide to Tokio ...' })).toBe(true);
  expect(isKept('intitle:runtime', { title: '' })).toBe(true);
});

test('a file type is told by the ending, and where there is none the provider is believed that knows types', () => {
  const paper = { url: 'https://a.org/paper.PDF?download=1' };
  expect(isKept('x filetype:pdf', paper)).toBe(true);
  expect(isKept('x filetype:doc', paper)).toBe(false);
  expect(isKept('x -filetype:pdf', paper)).toBe(false);
  expect(isKept('x filetype:doc', { url: 'https://a.org/b.docx' })).toBe(true);
  expect(isKept('x filetype:pdf', { url: 'https://arxiv.org/pdf/2401.00001' })).toBe(false);
  expect(isKept('x filetype:pdf', { url: 'https://arxiv.org/pdf/2401.00001' }, true)).toBe(true);
  expect(isKept('x filetype:pdf', { url: 'https://a.org/b.docx' }, true)).toBe(false);
  expect(isKept('x filetype:exe', paper)).toBe(false);
});

test('an older date and another language are left out where the provider names them', () => {
  const kept = (parts: Partial<ProviderResult>, knowsTime = false) =>
    filterResults(
      [{ ...base, ...parts }],
      { query: parseQuery('tokio'), lang: 'de', timeRange: '7d' },
      { now, knowsFileType: false, knowsTime },
    ).length === 1;
  expect(kept({ publishedAt: now - 5 * day })).toBe(true);
  expect(kept({ publishedAt: now - 20 * day })).toBe(false);
  expect(kept({ publishedAt: now - 20 * day }, true)).toBe(true);
  expect(kept({ publishedAt: null })).toBe(true);
  expect(kept({ lang: 'de' })).toBe(true);
  expect(kept({ lang: 'en' })).toBe(false);
});
