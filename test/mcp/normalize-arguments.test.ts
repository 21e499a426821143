import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createParameterReader } from '../../src/contract/parameters.ts';
import { normalizeArguments } from '../../src/mcp/normalize-arguments.ts';
import { fetchContent } from '../../tools/fetch-content.ts';
import { tools } from '../../tools/index.ts';
import { webSearch } from '../../tools/web-search.ts';

const searched = (args: object) =>
  createParameterReader(webSearch.input)(
    normalizeArguments(webSearch, { ...args } as Record<string, unknown>),
  );
const fetched = (args: object) =>
  createParameterReader(fetchContent.input)(
    normalizeArguments(fetchContent, { ...args } as Record<string, unknown>),
  );

test.each([
  [{ query: 'heron' }, { q: 'heron', limit: 10, offset: 0 }],
  [
    { q: 'heron', max_results: '3' },
    { q: 'heron', limit: 3 },
  ],
  [{ q: 'heron', maxResults: 3 }, { limit: 3 }],
  [{ q: 'heron', 'num-results': 3 }, { limit: 3 }],
  [
    { Q: 'heron', timeRange: '7d', langPriority: 'zh' },
    { q: 'heron', time_range: '7d', lang_priority: 'zh' },
  ],
  [{ q: ['heron', 'almanac'] }, { q: 'heron almanac' }],
  [{ q: '["heron", "almanac"]' }, { q: 'heron almanac' }],
  [{ q: 'heron', site: ['birds.example'] }, { site: 'birds.example' }],
  [{ q: 'heron', include_domains: '["birds.example"]' }, { site: 'birds.example' }],
  [{ q: 'heron', limit: ['5'] }, { limit: 5 }],
  [{ q: 'heron', lang: null, site: null }, { q: 'heron' }],
  [{ q: 'heron', include_images: true, format: { as: 'markdown' } }, { q: 'heron' }],
])('web_search takes %j', (given, expected) => {
  expect(searched(given)).toMatchObject(expected);
});

test.each([
  [
    { page_id: 'abc', startIndex: '20', maxLength: '900' },
    { id: 'abc', start: 20, max_chars: 900 },
  ],
  [{ urls: ['https://a.example/'] }, { url: 'https://a.example/' }],
])('fetch_content takes %j', (given, expected) => {
  expect(fetched(given)).toMatchObject(expected);
});

test('the real name goes before every other one, wherever it stands', () => {
  expect(searched({ q: 'real', query: 'other' })).toMatchObject({ q: 'real' });
  expect(searched({ query: 'other', q: 'real' })).toMatchObject({ q: 'real' });
});

test('what only looks like a list stays as it is', () => {
  expect(searched({ q: '[link text] syntax' })).toMatchObject({ q: '[link text] syntax' });
  expect(searched({ q: '[not, json]' })).toMatchObject({ q: '[not, json]' });
  expect(() => searched({ q: [] })).toThrow('q: must be a string');
  expect(() => searched({ q: { text: 'heron' } })).toThrow('q: must be a string');
});

test('every other name stands for a parameter, and is none itself', () => {
  for (const { input, otherNames = {} } of tools) {
    for (const [other, name] of Object.entries(otherNames)) {
      expect(Object.keys(input.shape)).toContain(name);
      expect(Object.keys(input.shape)).not.toContain(other);
    }
  }
});

test('no argument at all breaks it, nor changes what an object is', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
      const args = normalizeArguments(webSearch, given as Record<string, unknown>);
      expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
    }),
  );
  const odd = JSON.parse('{"__proto__":{"q":"x"},"constructor":1,"toString":2}');
  expect(() => searched(odd)).toThrow('q: is required');
});
